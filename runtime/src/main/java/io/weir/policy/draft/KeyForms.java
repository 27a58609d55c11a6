package io.weir.policy.draft;

import io.weir.key.KeySyntax;
import java.util.Optional;
import java.util.Set;

/**
 * Which key expressions make sense at a place.
 *
 * <p>Immutable.
 *
 * @param resolvers the names of the registered {@code KeyResolver}s
 * @param parameters whether there are parameters of a method, {@code param:}
 * @param paths whether there are parameters of the path, {@code path:}
 */
public record KeyForms(Set<String> resolvers, boolean parameters, boolean paths) {
  Optional<String> mistake(String expression) {
    return KeySyntax.mistake(expression, resolvers, parameters, paths);
  }
}
