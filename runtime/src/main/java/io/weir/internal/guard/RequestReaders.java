package io.weir.internal.guard;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.CostExpression;
import io.weir.internal.key.KeyReader;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes what reads requests for a policy, of the parts that the application brought.
 *
 * <p>Safe for concurrent use.
 */
final class RequestReaders {
  private final Map<String, KeyResolver> keyResolvers;
  private final Map<String, SafeCostResolver> costResolvers;
  private final Map<String, SafeCondition> conditions;
  private final Supplier<ClientAddress> addresses;

  RequestReaders(DiscoveredParts found, Supplier<ClientAddress> addresses) {
    this.keyResolvers = found.resolvers();
    this.costResolvers = safe(found.costResolvers(), SafeCostResolver::new);
    this.conditions = safe(found.conditions(), SafeCondition::new);
    this.addresses = addresses;
  }

  private static <T, S> Map<String, S> safe(Map<String, T> parts, BiFunction<String, T, S> safe) {
    Map<String, S> all = new HashMap<>();
    parts.forEach((name, part) -> all.put(name, safe.apply(name, part)));
    return Map.copyOf(all);
  }

  /**
   * Makes the reader of a policy.
   *
   * @throws IllegalArgumentException if the policy names what the application hasn't brought
   */
  RequestReader of(Policy policy) {
    KeyReader keys =
        KeyReader.of(policy.name(), policy.by(), policy.keys(), keyResolvers, addresses);
    Optional<CostExpression> expression = CostExpression.of(policy.costFrom());
    return new RequestReader(
        keys,
        expression.orElse(null),
        expression.isPresent() ? null : named("costFrom", policy.costFrom(), costResolvers),
        named("when", policy.when(), conditions));
  }

  /** See {@link io.weir.spi.SourceContext#keyResolver}. */
  KeyResolver keyResolver(String expression) {
    return KeyReader.expression(expression, keyResolvers);
  }

  /** See {@link io.weir.spi.SourceContext#address}. */
  Key address(RequestInfo request) {
    return addresses.get().key(request);
  }

  private static <T> @Nullable T named(String member, String name, Map<String, T> parts) {
    T found = parts.get(name);
    if (found == null && !name.isEmpty()) {
      throw new IllegalArgumentException(member + " = " + name + ": nothing has this name");
    }
    return found;
  }
}
