package io.weir.internal.guard;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.extension.SafeCondition;
import io.weir.internal.extension.SafeCostResolver;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.CostExpression;
import io.weir.internal.key.KeyReader;
import io.weir.spi.CostResolver;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the readers of policies from the resolvers and conditions of the application.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestReaderFactory {
  private final Map<String, KeyResolver> keyResolvers;
  private final Map<String, SafeCostResolver> costResolvers;
  private final Map<String, SafeCondition> conditions;
  private final Supplier<ClientAddress> addresses;

  /** Makes readers of the application's parts, which are given by name. */
  public RequestReaderFactory(
      Map<String, KeyResolver> keyResolvers,
      Map<String, CostResolver> costResolvers,
      Map<String, RequestCondition> conditions,
      Supplier<ClientAddress> addresses) {
    this.keyResolvers = keyResolvers;
    this.costResolvers = safe(costResolvers, SafeCostResolver::new);
    this.conditions = safe(conditions, SafeCondition::new);
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
   * @throws IllegalArgumentException if the policy names a part that the application doesn't have
   */
  public PolicyRequestReader of(Policy policy) {
    KeyReader keys =
        KeyReader.of(policy.name(), policy.by(), policy.keys(), keyResolvers, addresses);
    Optional<CostExpression> expression = CostExpression.of(policy.costFrom());
    return new PolicyRequestReader(
        keys,
        expression.orElse(null),
        expression.isPresent() ? null : named("costFrom", policy.costFrom(), costResolvers),
        named("when", policy.when(), conditions));
  }

  /** Returns the resolvers of the application by name; they don't fail. */
  public Map<String, KeyResolver> keyResolvers() {
    Map<String, KeyResolver> safe = new HashMap<>();
    keyResolvers.keySet().forEach(name -> safe.put(name, keyResolver(name)));
    return Map.copyOf(safe);
  }

  /** See {@link io.weir.spi.SourceContext#keyResolver}. */
  public KeyResolver keyResolver(String expression) {
    return KeyReader.expression(expression, keyResolvers);
  }

  /**
   * See {@link io.weir.spi.SourceContext#conditionNeedsUser}.
   *
   * @return true as well if it is unknown
   */
  public boolean conditionNeedsUser(String name) {
    SafeCondition condition = conditions.get(name);
    return condition == null || condition.needsUser();
  }

  /** See {@link io.weir.spi.SourceContext#address}. */
  public Key address(RequestInfo request) {
    return addresses.get().key(request);
  }

  private static <T> @Nullable T named(String member, String name, Map<String, T> parts) {
    T found = parts.get(name);
    if (found == null && !name.isEmpty()) {
      throw new IllegalArgumentException(
          member
              + " = "
              + name
              + ": isn't registered; pass it to Weir.builder() or list it for ServiceLoader");
    }
    return found;
  }
}
