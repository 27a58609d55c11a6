package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import java.util.List;

/**
 * Holds a request for permits under one policy while it is being decided: the user's request, the
 * limits in force, and the resulting request of the bucket.
 *
 * <p>Immutable.
 *
 * @param effectiveLimit what the policy admits now
 */
record ResolvedPermitRequest(
    PermitRequest request,
    EffectiveLimit effectiveLimit,
    boolean peek,
    BucketRequest bucketRequest) {
  static ResolvedPermitRequest of(
      PermitRequest request, EffectiveLimit effectiveLimit, boolean peek) {
    BucketId bucket = new BucketId(request.policy().spec(), request.key());
    return of(request, effectiveLimit, peek, bucket);
  }

  private static ResolvedPermitRequest of(
      PermitRequest request, EffectiveLimit effectiveLimit, boolean peek, BucketId bucket) {
    boolean impossible = request.permits() > effectiveLimit.burst();
    EffectiveLimit asked = effectiveLimit.isNothing() ? effectiveLimit.nominal() : effectiveLimit;
    return new ResolvedPermitRequest(
        request,
        effectiveLimit,
        peek,
        bucketRequest(request, asked, peek || impossible || request.permits() == 0, bucket));
  }

  /** Returns this request at one of several nodes that can't reach the store. */
  ResolvedPermitRequest dividedBy(int nodes) {
    if (nodes == 1 && request.used() == 0) {
      return this;
    }
    EffectiveLimit left = effectiveLimit.minus(request.policy(), request.used());
    return of(ofNodeAlone(), left.dividedBy(nodes), peek);
  }

  /** Drops the permits known to be used, since this node hasn't counted all of them itself. */
  private PermitRequest ofNodeAlone() {
    return request.used() == 0
        ? request
        : new PermitRequest(request.policy(), request.key(), request.permits(), request.limit());
  }

  /** Returns whether all permits are known to be used. */
  boolean isUsedUp() {
    return request.used() >= effectiveLimit.burst();
  }

  /** Returns this request at a node that has already used some permits of its share. */
  ResolvedPermitRequest minus(long permits) {
    return permits == 0 ? this : of(request, effectiveLimit.minus(request.policy(), permits), peek);
  }

  /** Returns this request at a node that can't reach the store, by its share of the reserve. */
  ResolvedPermitRequest within(EffectiveLimit share, OutageReserve reserve) {
    BucketId bucket = reserve.localBucket(request.policy().spec(), request.key());
    return of(ofNodeAlone(), share, peek, bucket);
  }

  static BucketRequest bucketRequest(PermitRequest request, EffectiveLimit effectiveLimit) {
    BucketId bucket = new BucketId(request.policy().spec(), request.key());
    return bucketRequest(request, effectiveLimit, false, bucket);
  }

  static BucketRequest bucketRequest(
      PermitRequest request, EffectiveLimit effectiveLimit, boolean peek, BucketId bucket) {
    long permits = request.permits();
    if (peek) { // at most for a full bucket
      permits = Math.max(1, Math.min(permits, effectiveLimit.burst()));
    }
    return new BucketRequest(
        effectiveLimit.terms(request.policy(), permits, request.used()), bucket, peek);
  }

  /**
   * Returns whether the load, or this region's part, leaves no permits, so that it is refused
   * without asking.
   */
  boolean isOverloaded() {
    return effectiveLimit.isNothing() && !isFree();
  }

  /** Returns the requests to send to the source, if any; its own comes last. */
  List<BucketRequest> bucketRequests() {
    if (isOverloaded()) {
      return List.of();
    }
    return effectiveLimit.isReduced()
        ? List.of(nominalPeek(), bucketRequest)
        : List.of(bucketRequest);
  }

  /** Returns the number of answers to {@link #bucketRequests()}. */
  int answerCount() {
    if (isOverloaded()) {
      return 0;
    }
    return effectiveLimit.isReduced() ? 2 : 1;
  }

  // Asks what the unreduced limit would have left, which alone shows that a request is refused
  // because the node is overloaded. It precedes the request's own, because a store may count time
  // by the last limit that it saw.
  private BucketRequest nominalPeek() {
    RequestTerms terms =
        new RequestTerms(
            request.policy(),
            bucketRequest.permits(),
            effectiveLimit.limit(),
            effectiveLimit.nominalLimit(),
            effectiveLimit.nominalBurst(),
            0,
            request.used(),
            effectiveLimit.part());
    return new BucketRequest(terms, bucketRequest.bucket(), true);
  }

  /** Returns whether it takes no permits, so that it is admitted whatever is left. */
  boolean isFree() {
    return request.permits() == 0;
  }

  /** Returns whether a fresh bucket has that many permits. */
  boolean isPossible() {
    return request.permits() <= effectiveLimit.burst();
  }

  /** Returns whether no bucket of this caller ever has that many permits, on the idlest node. */
  boolean isNeverPossible() {
    return !isPossible()
        && request.permits() > effectiveLimit.most(request.policy(), request.limit());
  }
}
