package io.weir.internal.guard;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.internal.policy.BoundPolicy;
import io.weir.internal.policy.CostSettings;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** What a policy source may use of the application. Safe for concurrent use. */
record ApplicationContext(
    LiveSettings settings,
    Ticker ticker,
    PolicyCatalog catalog,
    RequestReaders readers,
    CostSettings costs,
    RateLimiter limiter,
    StoreCounts counts)
    implements SourceContext {
  @Override
  public String setting(String name) {
    return settings.value(name);
  }

  @Override
  public Collection<Policy> boundPolicies() {
    Map<String, Policy> byName = new TreeMap<>();
    Stream.concat(catalog.ofEndpoints().stream(), catalog.ofPaths().stream())
        .map(BoundPolicy::current)
        .forEach(each -> byName.put(each.name(), each));
    return List.copyOf(byName.values());
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return catalog.mistakes(policy);
  }

  @Override
  public KeyResolver keyResolver(String expression) {
    return readers.keyResolver(expression);
  }

  @Override
  public Key address(RequestInfo request) {
    return readers.address(request);
  }

  @Override
  public CompletionStage<OptionalLong> used(Policy policy, Key key) {
    return counts.used(policy, key);
  }

  @Override
  public OptionalLong cost(String method) {
    return costs.of(method);
  }
}
