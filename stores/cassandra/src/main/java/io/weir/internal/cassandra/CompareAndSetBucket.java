package io.weir.internal.cassandra;

import io.weir.internal.store.ExecutedClaims;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
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
 * <p>A node that is far away would lose each race for a busy bucket. Claims that take nothing, such
 * as reports of another region, needn't win one: after a loss they are {@linkplain LevelRows
 * appended}, and whoever replaces the value executes them first. Their node then looks whether
 * somebody has, and executes them itself if not, so none is left behind. It answers with the stamp
 * that was noted with them.
 *
 * <p>Safe for concurrent use.
 */
final class CompareAndSetBucket extends BatchingBucket {
  private static final int LONGEST_WAIT = 5;
  private static final int MAX_TIMES_ANEW = 6;
  private static final long MILLI = 1_000_000;
  private static final long NANOS_OF_MICRO = 1_000;

  /** The losses after which claims are appended. */
  private static final int MAX_LOSSES = 2;

  /**
   * An exchange that takes longer loses to any node nearby, so one loss is enough. Nearby the next
   * attempt, from the value that the answer holds, is cheaper.
   */
  private static final long FAR_NANOS = 20 * MILLI;

  private final String name;
  private final UUID writer;
  private final String epoch;
  private final SumBucketContext context;
  private LevelRows.@Nullable Level known;

  /**
   * Makes a bucket of which nothing is known.
   *
   * @param writer by whose name this object appends claims, and no other one does
   */
  CompareAndSetBucket(String name, UUID writer, String epoch, SumBucketContext context) {
    this.name = name;
    this.writer = writer;
    this.epoch = epoch;
    this.context = context;
  }

  synchronized void forget() {
    known = null;
  }

  private synchronized void learn(LevelRows.Level level) {
    known = level;
  }

  private synchronized LevelRows.@Nullable Level known() {
    return known;
  }

  @Override
  int entries() {
    return 0;
  }

  @Override
  Round round(List<Claim> claims) {
    return new Transaction(claims);
  }

  private FoldedLevel fold(LevelRows.Level level, List<Claim> claims) {
    BucketId bucket = claims.get(0).bucket();
    return FoldedLevel.of(context.arithmetic(), level, bucket);
  }

  private Step step(List<Claim> claims, byte @Nullable [] before, long now) {
    return new Step(ExecutedClaims.of(context.arithmetic(), before, claims, now), before, now);
  }

  private final class Transaction extends Round {
    private final List<Claim> asked;
    private final long deadline;
    private List<Claim> claims;

    /** The step that was swapped last, although its slot had ended. */
    private @Nullable Step dead;

    private boolean fresh;
    private int attempts;
    private int losses;
    private int timesAnew;
    private boolean late;
    private long lag = context.lagOfSwaps().micros();
    private long sentAt;
    private long sentNanos;
    private long uncertain;

    Transaction(List<Claim> claims) {
      this.asked = claims;
      this.claims = claims;
      this.deadline = context.clock().nanos() + 2 * context.patienceNanos();
    }

    @Override
    void tryOnce() {
      attempts++;
      LevelRows.Level before = known();
      if (before == null || !before.isComplete()) {
        read();
        return;
      }
      sentNanos = context.clock().nanos();
      sentAt = context.clock().now();
      uncertain = context.clock().uncertainty();
      long now = sentAt + lag;
      Step undone = dead;
      if (undone != null && !Arrays.equals(undone.executed.bytes(), before.state())) {
        claims = undone.again(claims); // others have been granted permits since
        undone = null;
        dead = null;
      }
      FoldedLevel folded = fold(undone == null ? before : before.with(undone.before), claims);
      Step step = step(claims, folded.bytes(), now);
      if (step.executed.isChanged() || undone != null) {
        replace(before, folded, step);
      } else if (fresh) {
        confirm(step);
      } else {
        read(); // the remembered value may be old: another node may have given permits back
      }
    }

    private void replace(LevelRows.Level before, FoldedLevel folded, Step step) {
      int seconds = RowLifetime.secondsToKeep(step.executed.expiresAt(), step.now);
      answered(
          rows().swap(name, before, step.executed.bytes(), seconds, folded.executed()),
          swap -> swapped(swap, step));
    }

    private LevelRows rows() {
      return context.table().levelRows();
    }

    private void read() {
      answered(
          rows().read(name),
          level -> {
            fresh = true;
            learn(level);
            tryOnce();
          });
    }

    private void swapped(LevelRows.Swap swap, Step step) {
      learn(swap.now());
      if (swap.applied()) {
        countsUntil(step.executed.expiresAt());
        confirm(step);
        return;
      }
      fresh = true;
      losses++;
      if (context.clock().nanos() - deadline > 0) {
        lose(step);
      } else if (isToBeAppended()) {
        append();
      } else {
        afterAMoment(this::attempt);
      }
    }

    private void afterAMoment(Runnable next) {
      long most = (1L << Math.min(attempts, LONGEST_WAIT)) * MILLI;
      context.later(ThreadLocalRandom.current().nextLong(most), next);
    }

    private boolean isToBeAppended() {
      boolean isFar = context.clock().nanos() - sentNanos > FAR_NANOS;
      return (isFar || losses >= MAX_LOSSES) && timesAnew == 0 && AppendedClaims.canBe(asked);
    }

    /**
     * Has the claims executed by whoever replaces the value next. The time is the latest that it
     * may be where they are sent from, since a debt may count for longer, but not for less.
     */
    private void append() {
      long number = context.clock().timestamp();
      long time = context.clock().now() + context.clock().uncertainty();
      byte[] bytes = new AppendedClaims(time, asked).toBytes();
      answered(rows().append(name, writer, number, bytes), any -> settle(number));
    }

    /** Makes sure that appended claims are executed. */
    private void settle(long number) {
      attempts++;
      answered(
          rows()
              .read(name)
              .thenCombine(
                  context.epochs().confirm(epoch),
                  (level, confirmed) -> {
                    if (!confirmed.same()) {
                      throw new DataLossException();
                    }
                    return new Look(level, confirmed.time());
                  }),
          look -> settle(number, look.level, look.time));
    }

    private void settle(long number, LevelRows.Level level, long time) {
      learn(level);
      LevelRows.AppenderRow own = level.row(writer);
      sentAt = context.clock().now();
      uncertain = context.clock().uncertainty();
      FoldedLevel folded = fold(level, asked);
      if (own != null && own.executed() >= number) {
        grant(executedByAnother(folded.bytes(), own.stamp(), time), time);
      } else if (own != null && own.isWaiting() && own.number() == number) {
        executeAppended(number, level, folded, time);
      } else {
        fail(new LostRaceException("what was appended has disappeared"));
      }
    }

    /** Answers by the present value and the stamp that was noted. */
    private Step executedByAnother(byte @Nullable [] state, long stamp, long time) {
      List<Claim> peeks =
          asked.stream()
              .map(
                  each ->
                      Claim.peek(
                          each.bucket(), each.atLeast(), each.effectiveLimit(), each.burst()))
              .toList();
      ExecutedClaims now = step(peeks, state, time).executed;
      countsUntil(now.expiresAt());
      List<Grant> answers =
          now.grants().stream()
              .map(
                  each ->
                      Grant.builder()
                          .granted(0, stamp, 0)
                          .left(each.left())
                          .retry(each.retry())
                          .reset(each.reset())
                          .build())
              .toList();
      return new Step(new ExecutedClaims(answers, state, false, now.expiresAt()), state, time);
    }

    /** If it fails, another node has executed them, or has appended more. */
    private void executeAppended(
        long number, LevelRows.Level level, FoldedLevel folded, long time) {
      int seconds = RowLifetime.secondsToKeep(folded.expiresAt(), time);
      List<Grant> grants = folded.grants().getOrDefault(writer, List.of());
      answered(
          rows().swap(name, level, folded.bytes(), seconds, folded.executed()),
          swap -> {
            learn(swap.now());
            if (swap.applied()) {
              countsUntil(folded.expiresAt());
              confirm(
                  new Step(
                      new ExecutedClaims(grants, folded.bytes(), false, folded.expiresAt()),
                      folded.bytes(),
                      time));
            } else if (context.clock().nanos() - deadline > 0) {
              fail(new LostRaceException("other nodes were faster " + attempts + " times"));
            } else {
              afterAMoment(() -> guard(() -> settle(number)));
            }
          });
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
   * A reading of the bucket, while the epoch was the same.
   *
   * @param time the store's time afterwards
   */
  private record Look(LevelRows.Level level, long time) {}

  /**
   * The outcome of claims.
   *
   * @param executed the claims, and the new value
   * @param before the value that it was computed from, which contains all that was appended
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
