package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.Optional;

/**
 * A cost of an HTTP method that is more than a policy of an endpoint ever admits.
 *
 * <p>Immutable.
 *
 * @param method the HTTP method, in capitals
 * @param line place, setting, value and rule, for people
 */
record ExcessiveMethodCost(String policy, String method, String line) {
  /** Finds the mistake if an endpoint's requests would cost more than a policy ever has. */
  static Optional<ExcessiveMethodCost> find(
      JavaEndpoint endpoint,
      EndpointAnnotations annotations,
      Policy policy,
      SettingsSnapshot settings) {
    long burst = MethodCosts.smallestBurst(policy);
    return endpoint
        .httpMethod(annotations)
        .filter(any -> policy.cost() == 1 && policy.costFrom().isEmpty())
        .filter(
            method -> settings.number(SettingNames.COST + method, 1, 1, Policy.MAX_LIMIT) > burst)
        .map(
            method ->
                new ExcessiveMethodCost(
                    policy.name(), method, line(endpoint, method, policy, settings)));
  }

  private static String line(
      JavaEndpoint endpoint, String method, Policy policy, SettingsSnapshot settings) {
    String name = SettingNames.COST + method;
    return endpoint.place()
        + ": "
        + name
        + " = "
        + settings.text(name, "")
        + ": must be 1 to "
        + MethodCosts.smallestBurst(policy)
        + ", the permits at once of policy "
        + policy.name()
        + (policy.tiers().isEmpty() ? "" : " (its smallest tier)");
  }
}
