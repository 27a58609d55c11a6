package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.internal.key.CostExpression;
import io.weir.internal.key.KeySyntax;
import io.weir.internal.key.ReadablePlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds what an endpoint offers its policies: the capabilities of the application, the parameters
 * that can be read there, and which requests come there.
 *
 * <p>Immutable.
 *
 * @param readable the places in a request that expressions can read
 * @param oneMethod whether all requests are for one method, so that their successes mean the same
 */
public record EndpointCapabilities(
    ApplicationCapabilities capabilities, ReadablePlaces readable, boolean oneMethod) {
  Optional<String> mistake(String expression) {
    return KeySyntax.mistake(expression, capabilities.resolvers(), readable);
  }

  Optional<String> costMistake(String costFrom) {
    return CostExpression.mistake(costFrom, capabilities.costResolvers(), readable);
  }

  Optional<String> conditionMistake(String when) {
    return capabilities.conditionMistake(when, readable.bodies());
  }

  Optional<String> mistake(Algorithm algorithm) {
    return capabilities.mistake(algorithm);
  }

  Optional<PolicyMistake> mistakeOfBucket(Policy policy) {
    return capabilities.mistakeOfBucket(policy);
  }

  /**
   * Finds what is impossible here for a policy that neither annotations nor settings define.
   *
   * @param policy a policy whose members are consistent
   * @return a mistake for each member
   */
  public List<PolicyMistake> mistakes(Policy policy) {
    List<PolicyMistake> found = new ArrayList<>();
    for (String key : policy.keys()) {
      mistake(key).ifPresent(rule -> found.add(new PolicyMistake("key", quoted(key), rule)));
    }
    String costFrom = policy.costFrom();
    if (!costFrom.isEmpty()) {
      costMistake(costFrom)
          .ifPresent(rule -> found.add(new PolicyMistake("costFrom", quoted(costFrom), rule)));
    }
    String when = policy.when();
    if (!when.isEmpty()) {
      conditionMistake(when)
          .ifPresent(rule -> found.add(new PolicyMistake("when", quoted(when), rule)));
    }
    Algorithm algorithm = policy.algorithm();
    mistake(algorithm)
        .map(rule -> new PolicyMistake("algorithm", algorithm.name(), rule))
        .or(() -> mistakeOfBucket(policy))
        .ifPresent(found::add);
    return List.copyOf(found);
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }
}
