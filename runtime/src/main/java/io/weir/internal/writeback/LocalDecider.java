package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.RequestTerms;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests at once without the store: an active bucket, or one at rest that keeps a far
 * lease.
 *
 * <p>Safe for concurrent use.
 */
interface LocalDecider {
  /** Decides a request by what is known; null if only the store can decide, or others wait. */
  @Nullable Decision decide(RequestTerms terms, Key key, long now);

  /** Admits a request by the lease, unless other requests wait; null if it can't. */
  @Nullable Decision admit(RequestTerms terms, Key key, long now);

  /** Returns whether {@link #admit} would admit a request, unless another thread is faster. */
  boolean wouldAdmit(RequestTerms terms, long now);

  /** Undoes an {@link #admit}; false if that lease isn't here any more. */
  boolean undoAdmit(long stamp, long permits, long now);
}
