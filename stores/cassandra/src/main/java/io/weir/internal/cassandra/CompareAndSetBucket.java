package io.weir.internal.cassandra;

import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Executes claims on a bucket that is stored as one value and replaced by a lightweight
 * transaction: a level, which is no sum.
 *
 * <p>A node remembers the value that it wrote last, and replaces that. If another node was faster,
 * the answer holds the current value.
 *
 * <p>Safe for concurrent use.
 */
final class CompareAndSetBucket extends BatchingBucket {
  private static final int LONGEST_WAIT = 5;
  private static final long MILLI = 1_000_000;
  private static final long NANOS_OF_MICRO = 1_000;

  private final String name;
  private final String epoch;
  private final SumBucketContext context;
  private byte @Nullable [] known;
  private boolean isKnown;

  CompareAndSetBucket(String name, String epoch, SumBucketContext context) {
    this.name = name;
    this.epoch = epoch;
    this.context = context;
  }

  /** Forgets the value that it remembers. */
  synchronized void forget() {
    isKnown = false;
    known = null;
  }

  private synchronized void learn(byte @Nullable [] bytes) {
    isKnown = true;
    known = bytes;
  }

  @Override
  int entries() {
    return 0;
  }

  @Override
  Round round(List<Claim> claims) {
    return new Transaction(claims);
  }

  private Step step(List<Claim> claims, byte @Nullable [] before, long now) {
    byte[] bytes = before == null || before.length == 0 ? null : before;
    List<Grant> grants = new ArrayList<>(claims.size());
    boolean changed = false;
    long expiresAt = now;
    for (Claim claim : claims) {
      BucketUpdate update = context.arithmetic().execute(bytes, claim, now);
      if (update.isChanged()) {
        bytes = update.bytes();
        changed = true;
      }
      expiresAt = update.expiresAt();
      grants.add(update.grant());
    }
    return new Step(grants, bytes, changed, expiresAt);
  }

  /** Executes claims by one transaction. */
  private final class Transaction extends Round {
    private final List<Claim> claims;
    private final long deadline;
    private boolean fresh;
    private int attempts;

    Transaction(List<Claim> claims) {
      this.claims = claims;
      this.deadline = context.clock().nanos() + 2 * context.patienceNanos();
    }

    @Override
    void tryOnce() {
      attempts++;
      byte[] before;
      boolean unknown;
      synchronized (CompareAndSetBucket.this) {
        before = known;
        unknown = !isKnown;
      }
      if (unknown) {
        read();
        return;
      }
      long now = context.clock().now();
      Step step = step(claims, before, now);
      if (step.changed) {
        int seconds = BucketTable.secondsToKeep(step.expiresAt, now);
        answered(
            context.table().swapState(name, before, step.bytes, seconds),
            state -> swapped(state, step));
      } else if (fresh) {
        confirm(step);
      } else {
        read(); // the remembered value may be old: another node may have given permits back
      }
    }

    private void read() {
      answered(
          context.table().readState(name),
          state -> {
            fresh = true;
            learn(state.bytes());
            tryOnce();
          });
    }

    private void swapped(BucketTable.State state, Step step) {
      if (state.applied()) {
        learn(step.bytes == null ? new byte[0] : step.bytes);
        countsUntil(step.expiresAt);
        confirm(step);
        return;
      }
      fresh = true;
      learn(state.bytes());
      if (context.clock().nanos() - deadline > 0) {
        lose(step);
      } else {
        long most = (1L << Math.min(attempts, LONGEST_WAIT)) * MILLI;
        context.later(ThreadLocalRandom.current().nextLong(most), this::attempt);
      }
    }

    /**
     * Ends without a change: other nodes were faster again and again. That is no failure, and
     * nothing was charged, so permits are refused. Debts fail, and are repeated.
     */
    private void lose(Step step) {
      if (claims.stream().anyMatch(each -> each.debt() > 0)) {
        fail(new LostRaceException("other nodes were faster " + attempts + " times"));
      } else {
        confirm(step.refused(context.patienceNanos() / NANOS_OF_MICRO));
      }
    }

    private void confirm(Step step) {
      long uncertain = context.clock().uncertainty();
      answered(
          context.epochs().confirm(epoch),
          same -> {
            if (!same) {
              throw new DataLossException();
            }
            granted(step.grantsAfter(uncertain));
          });
    }

    @Override
    void fail(Throwable failure) {
      forget();
      failed(failure);
    }
  }

  /**
   * The outcome of claims.
   *
   * @param grants their answers
   * @param bytes the new value; null if it equals a fresh bucket
   * @param changed whether it has to be written
   * @param expiresAt until when it counts
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Step(
      List<Grant> grants, byte @Nullable [] bytes, boolean changed, long expiresAt) {
    /** Returns the grants, with lives that are right even if the clock was behind by this much. */
    List<Grant> grantsAfter(long uncertain) {
      return grants.stream()
          .map(each -> SumBucketPlan.shortened(each, uncertain, uncertain))
          .toList();
    }

    /** Returns the step without permits, which are to be asked for again after a while. */
    Step refused(long retry) {
      return new Step(
          grants.stream()
              .map(each -> Grant.refused(0, retry, Math.max(retry, each.reset())))
              .toList(),
          bytes,
          false,
          expiresAt);
    }
  }
}
