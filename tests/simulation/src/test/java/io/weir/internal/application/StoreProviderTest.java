package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.EndpointPolicy;
import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Epoch;
import io.weir.store.Membership;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import io.weir.test.log.LogLines;
import io.weir.testkit.store.SimulatedStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Stores whose provider is given, and what a Weir says about its store and its policies. */
class StoreProviderTest {
  private static final Ticker TICKER = Ticker.system(); // heartbeats go by it

  private volatile boolean isAway;

  /** A store of three nodes that can be unreachable. */
  private final class Shared extends ForwardingStore {
    Shared() {
      super(new SimulatedStore(TICKER::epochMicros));
    }

    @Override
    public String describe() {
      return "the store at example.org:1";
    }

    private <T> CompletionStage<T> away() {
      return CompletableFuture.failedFuture(new IllegalStateException("away on purpose"));
    }

    @Override
    public CompletionStage<Epoch> epoch(int partition, Epoch known) {
      return isAway ? away() : super.epoch(partition, known);
    }

    @Override
    public CompletionStage<Membership> heartbeat(String node) {
      return isAway
          ? away()
          : CompletableFuture.completedFuture(new Membership(3, Membership.WHOLE / 3));
    }
  }

  private final StoreProvider provider =
      new StoreProvider() {
        @Override
        public Set<String> schemes() {
          return Set.of("given");
        }

        @Override
        public PermitStore open(URI address, UnaryOperator<String> setting, Ticker given) {
          if (setting.apply("weir.prefix").equals("unusable")) {
            throw new IllegalArgumentException("weir.prefix: on purpose");
          }
          return new Shared();
        }
      };

  static class Shop {
    @RateLimit(limit = 3, window = 60, name = "search")
    public void search() {}

    @RateLimit(limit = 4, window = 60, name = "buy")
    public void buy() {}
  }

  private WeirRuntime open(Map<String, String> settings) {
    return new DefaultWeirBuilder()
        .ticker(TICKER)
        .storeProvider(provider)
        .settings(settings)
        .build();
  }

  @Test
  void opensTheStoreOfItsScheme() {
    for (String address : List.of("given", "given:", "GIVEN", "given://x")) {
      try (Weir weir = open(Map.of("weir.store", address))) {
        String shown = address.contains("//") ? "given://x" : "the store at example.org:1";
        assertEquals(shown, weir.store());
      }
    }
    try (Weir weir = open(Map.of())) {
      assertEquals("inprocess:", weir.store());
    }
  }

  @Test
  void theStartSaysInOneLineWhichStoreCounts() {
    assertCountedIn("the store at example.org:1", Map.of("weir.store", "given"));
    assertCountedIn(
        "the store at example.org:1", Map.of("weir.store", "given://ann:hush@x?password=hush"));
    assertCountedIn("this process", Map.of());
    assertCountedIn("this process", Map.of("weir.store", "inprocess"));
  }

  private void assertCountedIn(String place, Map<String, String> settings) {
    try (LogLines log = new LogLines(Weir.class);
        Weir weir = open(settings)) {
      assertEquals(
          List.of("INFO Requests are counted in " + place),
          log.containing("counted in"),
          weir::store);
    }
  }

  @Test
  void aSettingThatItCanNotUseIsReportedLikeAllOthers() {
    Map<String, String> settings = Map.of("weir.store", "given", "weir.prefix", "unusable");
    InvalidSettingException reported =
        assertThrows(InvalidSettingException.class, () -> open(settings));
    assertEquals("weir.prefix: on purpose", reported.getMessage());
    assertInstanceOf(IllegalArgumentException.class, reported.getCause());
  }

  @Test
  void knowsTheNodesAndWhetherTheStoreIsAway() {
    try (WeirRuntime weir = open(Map.of("weir.store", "given"))) {
      await(() -> weir.nodes() == 3);
      assertFalse(weir.isStoreAway());
      isAway = true;
      await(weir::isStoreAway);
      assertEquals(3, weir.nodes());
      isAway = false;
      await(() -> !weir.isStoreAway());
    }
    try (Weir alone = open(Map.of())) {
      assertEquals(1, alone.nodes());
      assertFalse(alone.isStoreAway());
    }
  }

  private static void await(BooleanSupplier isMet) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isMet.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(5_000_000);
    }
    assertTrue(isMet.getAsBoolean());
  }

  @Test
  void listsThePoliciesInForce() throws Exception {
    Map<String, String> settings =
        Map.of(
            "weir.policy.pages.url",
            "/pages/*",
            "weir.policy.pages.limit",
            "7",
            "weir.policy.pages.window",
            "1m");
    try (WeirRuntime weir = open(settings)) {
      weir.endpoint(Shop.class, Shop.class.getMethod("search"), EndpointType.SERVLET);
      weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.JAXRS);
      List<EndpointPolicy> all = weir.policies();
      assertEquals(
          List.of("/pages/* pages 7", "Shop#buy buy 4", "Shop#search search 3"),
          all.stream()
              .map(
                  each ->
                      each.endpoint() + " " + each.policy().name() + " " + each.policy().limit())
              .toList());
      assertThrows(UnsupportedOperationException.class, () -> all.remove(0));
      Policy direct = Policy.builder("direct").limit(1).window(Duration.ofMinutes(1)).build();
      assertTrue(weir.limiter().tryAcquire(direct, Key.of("caller")).admitted());
      assertEquals(3, weir.policies().size(), "calls of the API have no endpoint");
    }
  }
}
