package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers immediately, on the caller's thread, because its buckets are in this process and no other
 * node shares them.
 *
 * <p>Safe for concurrent use.
 */
public interface ImmediateStore extends PermitStore {
  /**
   * Decides a request without any lock, if that is possible.
   *
   * @return the decision that a claim would lead to; null, and nothing is taken, if it takes a
   *     claim
   */
  @Nullable Decision decideNow(RequestTerms terms, Key key);

  /**
   * Decides a request of several policies in the same way, if all admit it.
   *
   * @param keys the caller's key under each policy, in the same order
   * @return an admission by each, in order; null, and nothing is taken, if it takes claims
   */
  @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys);

  /** Executes one claim as {@link #execute} does; returns null once the store is closed. */
  @Nullable Grant executeNow(Claim claim);
}
