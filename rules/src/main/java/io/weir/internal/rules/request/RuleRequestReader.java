package io.weir.internal.rules.request;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.By;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reads callers, keys and costs of requests, and the time. Safe for concurrent use. */
final class RuleRequestReader implements RequestKeys.Readers {
  private final SourceContext application;
  private final CallerSettings settings;
  private final Ticker ticker;
  private final Optional<KeyResolver> callerKey;
  private final Map<String, KeyResolver> expressions = new ConcurrentHashMap<>();

  /**
   * Reads requests of an application.
   *
   * @throws IllegalArgumentException if {@code weir.rules.caller} can't be read
   */
  RuleRequestReader(SourceContext application, CallerSettings settings) {
    this.application = application;
    this.settings = settings;
    this.ticker = application.ticker();
    this.callerKey =
        settings.caller().isEmpty()
            ? Optional.empty()
            : Optional.of(callerKey(application, settings.caller()));
  }

  private static KeyResolver callerKey(SourceContext application, String expression) {
    try {
      return application.keyResolver(expression);
    } catch (IllegalArgumentException mistake) {
      throw new IllegalArgumentException(
          "weir.rules.caller = " + expression + ": " + mistake.getMessage(), mistake);
    }
  }

  /** Identifies the caller; before authentication by a key only. */
  RequestCaller caller(RequestInfo request, boolean isAuthenticated) {
    String user = isAuthenticated ? request.user().orElse(null) : null;
    boolean hasUser = user != null && !user.isBlank();
    String key =
        hasUser || callerKey.isEmpty() ? null : callerKey.get().resolve(request).orElse(null);
    return RequestCaller.of(user, key, settings.isPlain());
  }

  /** Identifies a caller that a person named. */
  RequestCaller caller(@Nullable String user, @Nullable String key) {
    return RequestCaller.of(user, key, settings.isPlain());
  }

  SourceContext application() {
    return application;
  }

  boolean isPlain() {
    return settings.isPlain();
  }

  String setting(String name) {
    return application.setting(name);
  }

  /** Returns the policies of annotations and settings that have a name. */
  List<Policy> bound(String name) {
    return application.boundPolicies().stream().filter(each -> each.name().equals(name)).toList();
  }

  /** Returns whether a policy counts the caller itself, and not an address or everybody. */
  boolean countsCaller(Policy policy) {
    return policy.by().contains(By.USER)
        || !settings.caller().isEmpty() && policy.keys().contains(settings.caller());
  }

  String defaultTier() {
    return settings.defaultTier();
  }

  long cost(String method) {
    return application.cost(method).orElse(1);
  }

  /** Microseconds since the epoch. */
  long now() {
    return ticker.epochMicros();
  }

  @Override
  public Key address(RequestInfo request) {
    return application.address(request);
  }

  @Override
  public KeyResolver expression(String expression) {
    return expressions.computeIfAbsent(expression, application::keyResolver);
  }
}
