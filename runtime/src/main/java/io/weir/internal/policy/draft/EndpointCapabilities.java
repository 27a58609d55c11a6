package io.weir.internal.policy.draft;

import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.internal.key.CostExpression;
import io.weir.internal.key.KeySyntax;
import io.weir.store.BucketSpec;
import java.util.Optional;

/**
 * What an endpoint offers its policies: what the application has, and which parameters can be read
 * there.
 *
 * <p>Immutable.
 *
 * @param capabilities what the application has
 * @param parameters whether there are parameters of a method, {@code param:}
 * @param paths whether there are parameters of the path, {@code path:}
 */
public record EndpointCapabilities(
    ApplicationCapabilities capabilities, boolean parameters, boolean paths) {
  Optional<String> mistake(String expression) {
    return KeySyntax.mistake(expression, capabilities.resolvers(), parameters, paths);
  }

  Optional<String> costMistake(String costFrom) {
    return CostExpression.mistake(costFrom, capabilities.costResolvers(), parameters, paths);
  }

  Optional<String> conditionMistake(String when) {
    return capabilities.conditionMistake(when);
  }

  Optional<String> mistake(Algorithm algorithm) {
    return capabilities.mistake(algorithm);
  }

  Optional<PolicyMistake> mistake(BucketSpec spec) {
    return capabilities.mistake(spec);
  }
}
