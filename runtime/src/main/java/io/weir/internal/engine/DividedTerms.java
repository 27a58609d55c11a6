package io.weir.internal.engine;

import io.weir.Policy;
import io.weir.internal.permits.RequestTerms;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the terms of requests for as many permits under the same limit, by the remainder of their
 * bucket. There are two of them for a window: parts of a limit differ by at most one permit.
 *
 * <p>Safe for concurrent use.
 */
final class DividedTerms {
  private static final int REMAINDERS = 100;

  private final Policy policy;
  private final long permits;
  private final long limit;
  private final AtomicReferenceArray<@Nullable RequestTerms> byRemainder =
      new AtomicReferenceArray<>(REMAINDERS);

  DividedTerms(Policy policy, long permits, long limit) {
    this.policy = policy;
    this.permits = permits;
    this.limit = limit;
  }

  /** Compares policies by identity, as {@link RequestTermsCache} does. */
  @SuppressWarnings("ReferenceEquality") // an equal policy gets terms of its own
  boolean areOf(Policy other, long otherPermits, long otherLimit) {
    return policy == other && permits == otherPermits && limit == otherLimit;
  }

  @Nullable RequestTerms of(int remainder) {
    return byRemainder.getPlain(remainder);
  }

  /** Adds the terms of a remainder, and returns those to use: equal ones that are kept already. */
  RequestTerms add(int remainder, RequestTerms made) {
    RequestTerms shared = made;
    for (int i = 0; i < REMAINDERS; i++) {
      RequestTerms kept = byRemainder.getAcquire(i);
      if (made.equals(kept)) {
        shared = kept;
        break;
      }
    }
    byRemainder.setRelease(remainder, shared);
    return shared;
  }
}
