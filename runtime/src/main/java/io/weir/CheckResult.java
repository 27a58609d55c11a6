package io.weir;

import java.util.Optional;

/**
 * The result of a check by a {@link RequestChecker}: the decision, if any policy limits the
 * request, and whether policies may be missing.
 *
 * <p>Immutable.
 *
 * @param decision the decision; empty if no policy is known to limit the request
 * @param degraded whether it was decided without the store, because it can't be reached, or without
 *     the policies of a {@link io.weir.spi.PolicySource}, because it failed or was late. Without a
 *     decision true means that policies may limit the request, but aren't known
 */
public record CheckResult(Optional<Decision> decision, boolean degraded) {
  /**
   * Returns whether the request is admitted.
   *
   * @return false if a policy refused; true if no policy is known to limit the request
   */
  public boolean admitted() {
    return decision.isEmpty() || decision.get().admitted();
  }
}
