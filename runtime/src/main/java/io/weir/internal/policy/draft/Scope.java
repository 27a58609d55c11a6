package io.weir.internal.policy.draft;

import io.weir.annotation.Algorithm;
import io.weir.internal.key.KeySyntax;
import java.util.Optional;

/**
 * What a policy can make use of at a place.
 *
 * <p>Immutable.
 *
 * @param means what the application has
 * @param parameters whether there are parameters of a method, {@code param:}
 * @param paths whether there are parameters of the path, {@code path:}
 */
public record Scope(Capabilities means, boolean parameters, boolean paths) {
  Optional<String> mistake(String expression) {
    return KeySyntax.mistake(expression, means.resolvers(), parameters, paths);
  }

  Optional<String> mistake(Algorithm algorithm) {
    return means.mistake(algorithm);
  }
}
