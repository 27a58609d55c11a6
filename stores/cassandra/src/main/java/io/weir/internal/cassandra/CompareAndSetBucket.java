package io.weir.internal.cassandra;

import io.weir.internal.store.ExecutedClaims;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Arrays;
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
 * <p>The value is computed for the time that the coordinators' clock is expected to show when the
 * epoch is confirmed, and the confirmation contains the time that it does show. Permits are spent
 * at that moment, so their slot must end after it. If it has ended, the value is replaced once
 * more, by one that is computed from the value before.
 *
 * <p>Safe for concurrent use.
 */
final class CompareAndSetBucket extends BatchingBucket {
  private static final int LONGEST_WAIT = 5;
  private static final int MAX_TIMES_ANEW = 6;
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
    return new Step(ExecutedClaims.of(context.arithmetic(), bytes, claims, now), before, now);
  }

  private final class Transaction extends Round {
    private final List<Claim> asked;
    private final long deadline;
    private List<Claim> claims;

    /** The step that was swapped last, although its slot had ended. */
    private @Nullable Step dead;

    private boolean fresh;
    private int attempts;
    private int timesAnew;
    private boolean late;
    private long lag = context.lagOfSwaps().micros();
    private long sentAt;
    private long uncertain;

    Transaction(List<Claim> claims) {
      this.asked = claims;
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
      sentAt = context.clock().now();
      uncertain = context.clock().uncertainty();
      long now = sentAt + lag;
      Step undone = dead;
      if (undone != null && !Arrays.equals(undone.executed.bytes(), before)) {
        claims = undone.again(claims); // others have been granted permits since
        undone = null;
        dead = null;
      }
      Step step = step(claims, undone == null ? before : undone.before, now);
      if (step.executed.isChanged() || undone != null) {
        int seconds = BucketTable.secondsToKeep(step.executed.expiresAt(), now);
        answered(
            context.table().swapState(name, before, step.executed.bytes(), seconds),
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
        learn(step.executed.bytes() == null ? new byte[0] : step.executed.bytes());
        countsUntil(step.executed.expiresAt());
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
        confirm(step.refused(retryMicros()));
      }
    }

    private long retryMicros() {
      return context.patienceNanos() / NANOS_OF_MICRO;
    }

    private void confirm(Step step) {
      answered(
          context.epochs().confirm(epoch),
          confirmed -> {
            if (!confirmed.same()) {
              throw new DataLossException();
            }
            confirmed(step, confirmed.time());
          });
    }

    private void confirmed(Step step, long time) {
      if (step.executed.isChanged()) {
        context.lagOfSwaps().hear(sentAt, time);
      }
      if (late) {
        granted(SumBucketPlan.refused(asked, step.executed.grants(), retryMicros()));
      } else if (step.isDeadAt(time)) {
        lag = context.nextLag(time - sentAt);
        claimAnew(step);
      } else if (step.executed.isChanged() && time < step.now) {
        long early = step.now - Math.max(time, sentAt); // computed for a moment that hasn't come
        context.later(early * NANOS_OF_MICRO, () -> guard(() -> grant(step, step.now)));
      } else {
        grant(step, time);
      }
    }

    /**
     * Lives are counted from before the sending of the claim, by the latest time it may have had.
     */
    private void grant(Step step, long time) {
      long passed = Math.min(time, sentAt + uncertain) - step.now;
      granted(step.executed.grantsLater(passed, uncertain + Math.max(0, step.now - time)));
    }

    /** Undoes what a step has charged, and claims it anew unless that has taken too long. */
    private void claimAnew(Step step) {
      late = ++timesAnew >= MAX_TIMES_ANEW || context.clock().nanos() - deadline > 0;
      claims = late ? SumBucketPlan.withoutPermits(claims) : claims;
      dead = step;
      fresh = true;
      attempt();
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
   * @param executed the claims, and the new value
   * @param before the value that it was computed from
   * @param now the time for which it was computed
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Step(ExecutedClaims executed, byte @Nullable [] before, long now) {
    /** Returns whether it charged permits to a slot that has ended at a time. */
    boolean isDeadAt(long time) {
      return executed.grants().stream()
          .anyMatch(each -> each.permits() > 0 && now + each.life() <= time);
    }

    /**
     * Returns claims that give back its permits, as far as they still count, and claim them anew.
     *
     * @param claims those that it executed, whose debts and give-backs are therefore done
     */
    List<Claim> again(List<Claim> claims) {
      List<Claim> again = new ArrayList<>(claims.size());
      for (int i = 0; i < claims.size(); i++) {
        Claim claim = claims.get(i);
        Grant grant = executed.grants().get(i);
        Claim.Builder next =
            Claim.builder(claim.bucket(), claim.effectiveLimit(), claim.burst())
                .needed(claim.needed())
                .atLeast(claim.atLeast())
                .extra(claim.extra());
        if (grant.permits() > 0) {
          next.giveBack(new GiveBack(grant.stamp(), grant.permits()));
        }
        again.add(next.build());
      }
      return again;
    }

    /** Returns the step without permits, which are to be asked for again after a while. */
    Step refused(long retry) {
      ExecutedClaims refused =
          new ExecutedClaims(
              executed.refusals(retry), executed.bytes(), false, executed.expiresAt());
      return new Step(refused, before, now);
    }
  }
}
