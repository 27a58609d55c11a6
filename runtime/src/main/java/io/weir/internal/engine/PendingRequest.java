package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.PolicyTerms;
import io.weir.store.BucketId;
import java.util.List;

/**
 * A request for permits under one policy while it is being decided: what the user requested, the
 * limits in force, and what that asks of the bucket.
 *
 * <p>Immutable.
 *
 * @param request what the user requested
 * @param effectiveLimit what the policy admits now
 * @param peek whether to take nothing
 * @param bucketRequest what it asks of the bucket
 */
record PendingRequest(
    PermitRequest request,
    EffectiveLimit effectiveLimit,
    boolean peek,
    BucketRequest bucketRequest) {
  /** Takes the permits of a request, or peeks whether they are there. */
  static PendingRequest of(PermitRequest request, EffectiveLimit effectiveLimit, boolean peek) {
    BucketId bucket = new BucketId(request.policy().spec(), request.key());
    return of(request, effectiveLimit, peek, bucket);
  }

  private static PendingRequest of(
      PermitRequest request, EffectiveLimit effectiveLimit, boolean peek, BucketId bucket) {
    boolean impossible = request.permits() > effectiveLimit.burst();
    EffectiveLimit asked = effectiveLimit.isNothing() ? effectiveLimit.nominal() : effectiveLimit;
    return new PendingRequest(
        request,
        effectiveLimit,
        peek,
        bucketRequest(request, asked, peek || impossible || request.permits() == 0, bucket));
  }

  /** This request at one of several nodes that can't reach the store. */
  PendingRequest dividedBy(int nodes) {
    if (nodes == 1 && request.used() == 0) {
      return this;
    }
    EffectiveLimit left = effectiveLimit.minus(request.policy(), request.used());
    return of(ofNodeAlone(), left.dividedBy(nodes, request.policy()), peek);
  }

  /** What this node counts by itself isn't all that is known to be used. */
  private PermitRequest ofNodeAlone() {
    return request.used() == 0
        ? request
        : new PermitRequest(request.policy(), request.key(), request.permits(), request.limit());
  }

  /** Whether all there is, is known to be used. */
  boolean isUsedUp() {
    return request.used() >= effectiveLimit.burst();
  }

  /** This request at a node that has already used so many permits of its share. */
  PendingRequest minus(long permits) {
    return permits == 0 ? this : of(request, effectiveLimit.minus(request.policy(), permits), peek);
  }

  /** This request at a node that can't reach the store, by its share of the reserve. */
  PendingRequest within(EffectiveLimit share, OutageReserve reserve) {
    return of(ofNodeAlone(), share, peek, reserve.localBucket(request));
  }

  /** A request that takes. */
  static BucketRequest bucketRequest(PermitRequest request, EffectiveLimit effectiveLimit) {
    BucketId bucket = new BucketId(request.policy().spec(), request.key());
    return bucketRequest(request, effectiveLimit, false, bucket);
  }

  static BucketRequest bucketRequest(
      PermitRequest request, EffectiveLimit effectiveLimit, boolean peek, BucketId bucket) {
    long permits = request.permits();
    if (peek) { // for more than a full bucket holds: for a full bucket
      permits = Math.max(1, Math.min(permits, effectiveLimit.burst()));
    }
    return new BucketRequest(
        effectiveLimit.terms(request.policy(), permits, request.used()), bucket, peek);
  }

  /** Whether the load leaves nothing of what it takes, so that it is refused unasked. */
  boolean isOverloaded() {
    return effectiveLimit.isNothing() && !isFree();
  }

  /** What to ask the source, if anything; the request's own bucket request comes last. */
  List<BucketRequest> bucketRequests() {
    if (isOverloaded()) {
      return List.of();
    }
    return effectiveLimit.isReduced()
        ? List.of(nominalPeek(), bucketRequest)
        : List.of(bucketRequest);
  }

  /** How many answers {@link #bucketRequests()} will have. */
  int answerCount() {
    if (isOverloaded()) {
      return 0;
    }
    return effectiveLimit.isReduced() ? 2 : 1;
  }

  // What the unreduced limit would have left: this alone tells who is refused because the node is
  // overloaded. It goes before the request's own, because a store may count time by the last limit
  // that it saw.
  private BucketRequest nominalPeek() {
    PolicyTerms terms =
        new PolicyTerms(
            request.policy(),
            bucketRequest.permits(),
            effectiveLimit.limit(),
            effectiveLimit.nominalLimit(),
            effectiveLimit.nominalBurst(),
            0,
            request.used());
    return new BucketRequest(terms, bucketRequest.bucket(), true);
  }

  /** Whether it takes no permits, so that it is admitted whatever is left. */
  boolean isFree() {
    return request.permits() == 0;
  }

  /** Whether a fresh bucket has that many permits; if not, there is nothing to take. */
  boolean isPossible() {
    return request.permits() <= effectiveLimit.burst();
  }
}
