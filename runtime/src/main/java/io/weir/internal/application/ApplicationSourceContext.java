package io.weir.internal.application;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.Ticker;
import io.weir.access.AccessSubject;
import io.weir.internal.access.AccessLists;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.guard.PolicySourceLimiter;
import io.weir.internal.guard.RequestReaderFactory;
import io.weir.internal.policy.LivePolicy;
import io.weir.internal.policy.MethodCostSettings;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import io.weir.store.BucketId;
import io.weir.store.PermitStore;
import io.weir.store.ScannableStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Gives a policy source access to the application. Safe for concurrent use. */
record ApplicationSourceContext(
    LiveSettings settings,
    Ticker ticker,
    PolicyCatalog catalog,
    RequestReaderFactory readers,
    MethodCostSettings costs,
    AccessLists access,
    InternalRateLimiter limiter,
    PolicySourceLimiter inForce,
    PermitStore store,
    StoreUsageReader counts)
    implements SourceContext {
  @Override
  public String setting(String name) {
    return settings.value(name);
  }

  @Override
  public Collection<Policy> boundPolicies() {
    Map<String, Policy> byName = new TreeMap<>();
    Stream.concat(catalog.ofEndpoints().stream(), catalog.ofPaths().stream())
        .map(LivePolicy::current)
        .forEach(each -> byName.put(each.name(), each));
    return List.copyOf(byName.values());
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return catalog.mistakes(policy);
  }

  @Override
  public Optional<String> mistake(AccessSubject subject) {
    return access.mistake(subject);
  }

  @Override
  public KeyResolver keyResolver(String expression) {
    return readers.keyResolver(expression);
  }

  @Override
  public boolean conditionNeedsUser(String name) {
    return readers.conditionNeedsUser(name);
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
  public CompletionStage<List<BucketId>> forget(Policy policy, Key key) {
    return inForce.forget(policy, key);
  }

  @Override
  public void letGo(Predicate<BucketId> which) {
    limiter.letGo(which);
  }

  @Override
  public Optional<ScannableStore> scannableStore() {
    return store instanceof ScannableStore scannable ? Optional.of(scannable) : Optional.empty();
  }

  @Override
  public boolean isStoreAway() {
    return limiter.isStoreAway();
  }

  @Override
  public long storeLosses() {
    return limiter.storeLosses();
  }

  @Override
  public OptionalLong cost(String method) {
    return costs.of(method);
  }
}
