package io.weir.internal.postgres;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes the claims of one call on one bucket, in order. */
final class ClaimOperation implements BucketOperation {
  private final BucketArithmetic arithmetic;
  private final long epoch;
  private final List<Claim> claims;
  private final GrantedClaims answers;
  private final List<Integer> numbers;
  private final StoreClock clock;
  private final long askedAt;
  private List<Grant> grants = List.of();

  /**
   * Holds claims.
   *
   * @param numbers their places among the answers of the call
   */
  ClaimOperation(
      BucketArithmetic arithmetic,
      long epoch,
      List<Claim> claims,
      GrantedClaims answers,
      List<Integer> numbers,
      StoreClock clock) {
    this.arithmetic = arithmetic;
    this.epoch = epoch;
    this.claims = claims;
    this.answers = answers;
    this.numbers = numbers;
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
    List<Grant> made = new ArrayList<>(claims.size());
    byte[] bytes = state;
    boolean changed = false;
    long expiresAt = now;
    long until = Long.MAX_VALUE;
    for (Claim claim : claims) {
      BucketUpdate update = arithmetic.execute(bytes, claim, now);
      if (update.isChanged()) {
        bytes = update.bytes();
        changed = true;
      }
      expiresAt = update.expiresAt();
      Grant grant = update.grant();
      made.add(grant);
      if (grant.permits() > 0) {
        until = Math.min(until, clock.until(now + grant.life()));
      }
    }
    grants = made;
    return new Step(bytes, changed, expiresAt, until);
  }

  @Override
  public void answer(Round round) {
    long elapsed = round.passed() - clock.waited(askedAt, round.sentAt());
    answers.granted(
        numbers, grants.stream().map(each -> asOf(each, elapsed, round.width())).toList());
  }

  /**
   * Returns a grant as the node counts it.
   *
   * @param elapsed how much of its life had passed at the time from which the node counts it;
   *     negative if that was earlier
   * @param width how much longer it takes until every node's clock has got as far
   */
  private static Grant asOf(Grant grant, long elapsed, long width) {
    if (grant.isOfOtherWindow() || elapsed == 0 && width == 0) {
      return grant;
    }
    return Grant.builder()
        .granted(
            grant.permits(),
            grant.stamp(),
            grant.permits() == 0 ? 0 : Math.max(0, grant.life() - elapsed))
        .left(grant.left())
        .retry(grant.retry() == 0 ? 0 : grant.retry() + width)
        .reset(grant.reset() == 0 ? 0 : grant.reset() + width)
        .far(grant.isFar())
        .build();
  }

  @Override
  public void fail(Throwable failure) {
    answers.failed(numbers.size(), failure);
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
    answers.granted(
        numbers,
        grants.stream()
            .map(each -> Grant.refused(0, retry, Math.max(retry, each.reset())))
            .toList());
  }

  @Override
  public void reject(RuntimeException why) {
    answers.rejected(numbers.size());
  }
}
