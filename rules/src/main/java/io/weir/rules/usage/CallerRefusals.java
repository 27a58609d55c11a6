package io.weir.rules.usage;

import java.time.Instant;
import java.util.List;

/**
 * Sums up the refusals of a caller in a time, on all nodes.
 *
 * @param caller the user; for an unknown caller {@code ip:} and the address, or {@code *} for all
 *     those beyond the busiest 1,000 of a node
 * @param refusals the number of refusals
 * @param endpoints the number of endpoints at which it was refused
 * @param policies the policies that refused it, the most frequent first; at most 5
 * @param lastAt the time of the first refusal in the last row: a few seconds before the last
 *     refusal
 */
public record CallerRefusals(
    String caller, long refusals, long endpoints, List<String> policies, Instant lastAt) {
  /** Copies the policies. */
  public CallerRefusals {
    policies = List.copyOf(policies);
  }

  /**
   * Names the policies.
   *
   * @param refusing the policies that refused it
   * @return a copy with them
   */
  public CallerRefusals by(List<String> refusing) {
    return new CallerRefusals(caller, refusals, endpoints, refusing, lastAt);
  }
}
