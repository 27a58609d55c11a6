package io.weir.internal.postgres;

import io.weir.internal.store.ClaimAnswers;
import io.weir.internal.store.ClaimBytes;
import io.weir.internal.store.ExecutedClaims;
import io.weir.store.BucketArithmetic;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Executes the claims of one call on one bucket, in order. */
final class ClaimOperation implements BucketOperation {
  private final BucketArithmetic arithmetic;
  private final long epoch;
  private final List<Claim> claims;
  private final ClaimAnswers.OfBucket answer;
  private final StoreClock clock;
  private final long askedAt;
  private @Nullable ExecutedClaims executed;

  ClaimOperation(
      BucketArithmetic arithmetic,
      long epoch,
      List<Claim> claims,
      ClaimAnswers.OfBucket answer,
      StoreClock clock) {
    this.arithmetic = arithmetic;
    this.epoch = epoch;
    this.claims = claims;
    this.answer = answer;
    this.clock = clock;
    this.askedAt = clock.evenMicros();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public long askedAt() {
    return askedAt;
  }

  @Override
  public Step step(byte @Nullable [] state, long now) {
    byte[] bucket = AppendedClaims.read(state).execute(arithmetic, claims.get(0).bucket());
    ExecutedClaims all = ExecutedClaims.of(arithmetic, bucket, claims, now);
    long until = Long.MAX_VALUE;
    for (Grant grant : all.grants()) {
      if (grant.permits() > 0) {
        until = Math.min(until, clock.until(now + grant.life()));
      }
    }
    executed = all;
    return new Step(all.bytes(), all.isChanged(), all.expiresAt(), until);
  }

  @Override
  public List<Claim> takingNothing() {
    boolean all = claims.stream().allMatch(each -> ClaimBytes.canKeep(each) && !each.peeks());
    return all ? claims : List.of();
  }

  /** Adds a window to what a fresh bucket keeps: a refill may be put off by one. */
  @Override
  public long life(long now) {
    long life = 0;
    for (Claim each : claims) {
      long expiresAt = arithmetic.execute(null, each, now).expiresAt();
      life += Math.max(0, expiresAt - now) + each.bucket().spec().windowMicros();
    }
    return life;
  }

  private ExecutedClaims executed() {
    return Objects.requireNonNull(executed);
  }

  @Override
  public void answer(Round round) {
    long elapsed = round.passed() - clock.waited(askedAt, round.sentAt());
    answer.granted(executed().grantsLater(elapsed, round.width()));
  }

  @Override
  public void fail(Throwable failure) {
    answer.failed(failure);
  }

  /**
   * Refuses what the store never charged. A failure would be decided without the store, beyond what
   * it has granted to the others.
   */
  @Override
  public void lose(RuntimeException why, long retry) {
    if (claims.stream().anyMatch(each -> each.debt() > 0)) {
      reject(why); // a debt is repeated until it is charged
      return;
    }
    answer.granted(executed().refusals(retry));
  }

  @Override
  public void reject(RuntimeException why) {
    answer.rejected();
  }
}
