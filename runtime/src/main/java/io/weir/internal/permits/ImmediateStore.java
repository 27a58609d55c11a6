package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers at once, on the caller's thread, because its buckets are in this process:
 * nobody has to wait, and no other node shares them.
 *
 * <p>Safe for concurrent use.
 */
public interface ImmediateStore extends PermitStore {
  /**
   * Decides a request without any lock, where that is possible.
   *
   * @param terms what is in force for the request, and how much it takes
   * @param key whom it counts
   * @return the decision that a claim would lead to; null, and nothing is taken, if only a claim
   *     can tell
   */
  @Nullable Decision decideNow(PolicyTerms terms, Key key);

  /**
   * Decides a request of several policies in the same way, if all admit it.
   *
   * @param allTerms what is in force for each
   * @param keys whom each counts, as many
   * @return an admission by each, in order; null, and nothing is taken, if only claims can tell
   */
  @Nullable List<Decision> decideNow(List<PolicyTerms> allTerms, List<Key> keys);

  /**
   * Executes one claim.
   *
   * @param claim as one of {@link #execute}
   * @return its grant; null once the store is closed
   */
  @Nullable Grant executeNow(Claim claim);
}
