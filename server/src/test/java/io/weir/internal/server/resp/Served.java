package io.weir.internal.server.resp;

import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A server with a store of its own, and the tokens that it knows. */
final class Served implements AutoCloseable {
  static final String TOKEN = "a-token-that-may-check";
  static final String USER_TOKEN = "a-token-of-a-user";

  final Map<String, Role> tokens =
      new ConcurrentHashMap<>(Map.of(TOKEN, Role.CHECK, USER_TOKEN, Role.USER));
  private final PermitStore store;
  private final Weir weir;
  final RespServer server;

  private Served(PermitStore store, boolean open, RespLimits limits) {
    this.store = store;
    this.weir = Weir.builder().policySource(new ThreeOfEachUser()).build();
    this.server =
        RespServer.builder(weir.checker(), store.exactBuckets().orElseThrow())
            .authenticator(
                token ->
                    Optional.ofNullable(tokens.get(token))
                        .map(role -> new Identity(Set.of(role), Optional.empty())))
            .open(open)
            .limits(limits)
            .start();
  }

  /** Limits one endpoint. */
  private static final class ThreeOfEachUser implements PolicySource {
    private static final AppliedPolicies THREE =
        AppliedPolicies.of(
            List.of(
                AppliedPolicy.of(
                    Policy.builder("three")
                        .limit(3)
                        .window(Duration.ofMinutes(1))
                        .by(By.USER)
                        .build())));

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      boolean limited =
          phase == DecisionPhase.AFTER_AUTHENTICATION && request.endpoint().equals("/api/thing");
      return CompletableFuture.completedFuture(limited ? THREE : AppliedPolicies.none());
    }
  }

  static Served open() {
    return open(Ticker.system());
  }

  /** Counts by a clock of the test's own; only the policy of the endpoint has another one. */
  static Served open(Ticker ticker) {
    PermitStore store = store("inprocess:here", Map.of("weir.store.max-buckets", "200000"), ticker);
    return new Served(store, true, RespLimits.DEFAULT);
  }

  static Served closed() {
    return on("inprocess:here", Map.of(), false, RespLimits.DEFAULT);
  }

  static Served on(String store, Map<String, String> settings, boolean open, RespLimits limits) {
    return new Served(store(store, settings, Ticker.system()), open, limits);
  }

  private static PermitStore store(String address, Map<String, String> settings, Ticker ticker) {
    URI uri = URI.create(address);
    UnaryOperator<String> setting = name -> settings.getOrDefault(name, "");
    for (StoreProvider each : ServiceLoader.load(StoreProvider.class)) {
      if (each.schemes().contains(uri.getScheme())) {
        return each.open(uri, setting, ticker);
      }
    }
    throw new IllegalArgumentException(address);
  }

  int port() {
    return server.port();
  }

  RespLine connect() {
    return new RespLine(port());
  }

  @Override
  public void close() {
    server.close();
    weir.close();
    store.close();
  }
}
