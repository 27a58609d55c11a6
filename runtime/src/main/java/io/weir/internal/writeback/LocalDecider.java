package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.PolicyTerms;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that may answer a request at once: one in use, or one at rest that keeps a far lease.
 *
 * <p>Safe for concurrent use.
 */
interface LocalDecider {
  /** Decides a request by what is known; null if only the store can tell, or others wait. */
  @Nullable Decision decide(PolicyTerms terms, Key key, long now);

  /** Admits a request by the lease, unless other requests wait; null if it can't. */
  @Nullable Decision admit(PolicyTerms terms, Key key, long now);

  /** Whether {@link #admit} would admit a request, unless another thread is faster. */
  boolean wouldAdmit(PolicyTerms terms, long now);

  /** Undoes what {@link #admit} did a moment ago; false if that lease isn't here any more. */
  boolean undoAdmit(long stamp, long permits, long now);
}
