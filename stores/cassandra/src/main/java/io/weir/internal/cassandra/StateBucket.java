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
 * A bucket that is kept whole, as bytes, and replaced by a lightweight transaction: a level, which
 * is no sum.
 *
 * <p>A node remembers what it wrote last, and replaces that; if another node was faster, the same
 * exchange tells what is there now.
 *
 * <p>Safe for concurrent use.
 */
final class StateBucket extends BucketRounds {
  private static final int LONGEST_WAIT = 5;
  private static final long MILLI = 1_000_000;

  private final String name;
  private final String epoch;
  private final SumContext context;
  private byte @Nullable [] known;
  private boolean isKnown;

  StateBucket(String name, String epoch, SumContext context) {
    this.name = name;
    this.epoch = epoch;
    this.context = context;
  }

  /** Nothing is known of it any more. */
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

  /** Claims that are executed by one transaction. */
  private final class Transaction extends Round {
    private final List<Claim> claims;
    private final long deadline;
    private boolean fresh;
    private int attempts;

    Transaction(List<Claim> claims) {
      this.claims = claims;
      this.deadline = context.clock().nanos() + context.patienceNanos();
    }

    @Override
    void tryOnce() {
      attempts++;
      byte[] before;
      boolean unknown;
      synchronized (StateBucket.this) {
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
        int seconds = Table.secondsToKeep(step.expiresAt, now);
        answered(
            context.table().swapState(name, before, step.bytes, seconds),
            state -> swapped(state, step));
      } else if (fresh) {
        confirm(step);
      } else {
        read(); // what is known may be old: somebody may have given back
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

    private void swapped(Table.State state, Step step) {
      if (state.applied()) {
        learn(step.bytes == null ? new byte[0] : step.bytes);
        countsUntil(step.expiresAt);
        confirm(step);
      } else if (context.clock().nanos() - deadline > 0) {
        fail(new StoreAwayException("other nodes were faster " + attempts + " times"));
      } else {
        fresh = true;
        learn(state.bytes());
        long most = (1L << Math.min(attempts, LONGEST_WAIT)) * MILLI;
        context.later(ThreadLocalRandom.current().nextLong(most), this::attempt);
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
   * What claims make of a bucket.
   *
   * @param grants their answers
   * @param bytes the bucket; null if it equals a fresh one
   * @param changed whether it has to be written
   * @param expiresAt until when it counts
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Step(
      List<Grant> grants, byte @Nullable [] bytes, boolean changed, long expiresAt) {
    /** With lives that are right although the clock may have been behind by so much. */
    List<Grant> grantsAfter(long uncertain) {
      return grants.stream().map(each -> ClaimPlan.shortened(each, uncertain)).toList();
    }
  }
}
