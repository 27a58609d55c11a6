package io.weir.internal.store;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of claims on one bucket that is kept as bytes, executed in order.
 *
 * @param grants one for each claim
 * @param bytes the bucket afterwards; null if it equals a fresh one
 * @param isChanged whether it has to be written
 * @param expiresAt until when it counts, in microseconds since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExecutedClaims(
    List<Grant> grants, byte @Nullable [] bytes, boolean isChanged, long expiresAt) {
  /**
   * Executes claims.
   *
   * @param before null for a fresh bucket
   * @param now the store's time, in microseconds since the epoch
   * @throws IllegalArgumentException if the bucket can't be read or counted
   */
  public static ExecutedClaims of(
      BucketArithmetic arithmetic, byte @Nullable [] before, List<Claim> claims, long now) {
    List<Grant> grants = new ArrayList<>(claims.size());
    byte[] bytes = before;
    boolean changed = false;
    long expiresAt = now;
    for (Claim claim : claims) {
      BucketUpdate update = arithmetic.execute(bytes, claim, now);
      if (update.isChanged()) {
        bytes = update.bytes();
        changed = true;
      }
      expiresAt = update.expiresAt();
      grants.add(update.grant());
    }
    return new ExecutedClaims(grants, bytes, changed, expiresAt);
  }

  /** See {@link #later}. */
  public List<Grant> grantsLater(long passed, long width) {
    return grants.stream().map(each -> later(each, passed, width)).toList();
  }

  /**
   * Returns a grant as a node counts it, with another life.
   *
   * @param passed how much of its life had passed at the time from which the node counts it, in
   *     microseconds; negative if that was earlier
   * @param width how much longer it takes until every node's clock has got as far, in microseconds
   */
  public static Grant later(Grant grant, long passed, long width) {
    if (grant.isOfOtherWindow() || passed == 0 && width == 0) {
      return grant;
    }
    return Grant.builder()
        .granted(
            grant.permits(),
            grant.stamp(),
            grant.permits() == 0 ? 0 : Math.max(0, grant.life() - passed))
        .left(grant.left())
        .retry(grant.retry() == 0 ? 0 : grant.retry() + width)
        .reset(grant.reset() == 0 ? 0 : grant.reset() + width)
        .far(grant.isFar())
        .build();
  }

  /**
   * Returns refusals in place of the grants, which the store never charged.
   *
   * @param retry after which time they may be claimed again, in microseconds
   */
  public List<Grant> refusals(long retry) {
    return grants.stream().map(each -> refusal(each, retry)).toList();
  }

  /**
   * Returns a refusal in place of a grant that the store never charged.
   *
   * @param retry after which time it may be claimed again, in microseconds
   */
  public static Grant refusal(Grant grant, long retry) {
    return Grant.refused(0, retry, Math.max(retry, grant.reset()));
  }
}
