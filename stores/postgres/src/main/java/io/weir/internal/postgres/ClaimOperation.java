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
      List<Integer> numbers) {
    this.arithmetic = arithmetic;
    this.epoch = epoch;
    this.claims = claims;
    this.answers = answers;
    this.numbers = numbers;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public Step step(byte @Nullable [] state, long now) {
    List<Grant> made = new ArrayList<>(claims.size());
    byte[] bytes = state;
    boolean changed = false;
    long expiresAt = now;
    for (Claim claim : claims) {
      BucketUpdate update = arithmetic.execute(bytes, claim, now);
      if (update.isChanged()) {
        bytes = update.bytes();
        changed = true;
      }
      expiresAt = update.expiresAt();
      made.add(update.grant());
    }
    grants = made;
    return new Step(bytes, changed, expiresAt);
  }

  @Override
  public void answer(long uncertainty) {
    answers.granted(numbers, grants.stream().map(each -> shortened(each, uncertainty)).toList());
  }

  /** Returns a grant whose life began earlier. */
  private static Grant shortened(Grant grant, long passed) {
    if (grant.permits() == 0 || passed == 0) {
      return grant;
    }
    return Grant.builder()
        .granted(grant.permits(), grant.stamp(), Math.max(0, grant.life() - passed))
        .left(grant.left())
        .retry(grant.retry())
        .reset(grant.reset())
        .far(grant.isFar())
        .build();
  }

  @Override
  public void fail(Throwable failure) {
    answers.failed(numbers.size(), failure);
  }

  @Override
  public void reject(IllegalArgumentException why) {
    answers.rejected(numbers.size());
  }
}
