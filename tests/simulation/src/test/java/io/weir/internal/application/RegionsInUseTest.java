package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Decision;
import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.region.RegionCount;
import io.weir.internal.region.RegionCounts;
import io.weir.metrics.MicrometerMetrics;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Membership;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import io.weir.test.log.LogLines;
import io.weir.testkit.store.SimulatedStore;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Two applications in two regions, as settings make them, that report to each other. */
class RegionsInUseTest {
  private static final Policy POLICY =
      Policy.builder("regions").limit(10).window(Duration.ofMinutes(10)).build();

  private static final Map<String, String> SHARES =
      Map.of("weir.regions.mode", "shares", "weir.regions.shares", "eu@60,us@40");

  private final Map<String, Shared> stores = new ConcurrentHashMap<>();

  /** A store that is reached by its name, and says when it was charged. */
  private static final class Shared extends ForwardingStore {
    final CompletableFuture<Long> charged = new CompletableFuture<>();
    final Set<String> timeouts = ConcurrentHashMap.newKeySet();
    final AtomicInteger asked = new AtomicInteger();

    /** By the application that it belongs to, and by the other one. */
    final CountDownLatch closed = new CountDownLatch(2);

    Shared() {
      super(new SimulatedStore(Ticker.system()::epochMicros));
    }

    @Override
    public synchronized CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      asked.incrementAndGet();
      CompletionStage<List<Optional<Grant>>> grants = super.execute(claims);
      claims.stream()
          .filter(each -> each.debt() > 0 && each.bucket().spec().name().equals("regions"))
          .forEach(each -> charged.complete(each.debt()));
      return grants;
    }

    @Override
    public synchronized CompletionStage<Optional<String>> mark(Optional<String> own) {
      return super.mark(own);
    }

    @Override
    public synchronized CompletionStage<Membership> heartbeat(String node) {
      return super.heartbeat(node);
    }

    @Override
    public boolean hasPartition(int partition) {
      return true;
    }

    @Override
    public void close() {
      closed.countDown();
      super.close();
    }
  }

  private final StoreProvider provider =
      new StoreProvider() {
        @Override
        public Set<String> schemes() {
          return Set.of("shared");
        }

        @Override
        public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
          Shared store =
              stores.computeIfAbsent(address.getSchemeSpecificPart(), any -> new Shared());
          store.timeouts.add(setting.apply("weir.store.timeout"));
          return store;
        }
      };

  private Weir weir(String region, String other, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", region);
    settings.put("weir.store", "shared:" + region);
    settings.put("weir.region." + other + ".store", "shared:" + other);
    settings.put("weir.regions.interval", "100ms");
    settings.put("weir.secret", "a secret of all regions");
    settings.put("weir.store.start-timeout", "1s");
    settings.putAll(more);
    return Weir.builder().onlyGivenSettings().settings(settings).storeProvider(provider).build();
  }

  @Test
  void reportsToTheOtherRegionWhatItsCallersUse() throws Exception {
    try (Weir eu = weir("eu", "us", Map.of());
        Weir us = weir("us", "eu", Map.of())) {
      for (int i = 0; i < 7; i++) {
        assertTrue(eu.limiter().tryAcquire(POLICY, Key.user("alice")).admitted());
      }
      assertTrue(stores.get("us").charged.get(1, TimeUnit.MINUTES) > 0);
      assertEquals(List.of("eu", "us"), eu.regions().stream().map(RegionStatus::name).toList());
      assertTrue(eu.regions().get(0).isOwn());
      assertEquals(Set.of("", "1s"), stores.get("us").timeouts, "as the own store, and another's");
      assertEquals("eu", us.regions().get(1).name());
    }
  }

  @Test
  void reportsWhatIsLeftWhenItCloses() throws Exception {
    try (Weir us = weir("us", "eu", Map.of())) {
      Weir eu = weir("eu", "us", Map.of("weir.regions.interval", "1m"));
      awaitAnswer(eu);
      for (int i = 0; i < 7; i++) {
        assertTrue(eu.limiter().tryAcquire(POLICY, Key.user("alice")).admitted());
      }
      assertFalse(stores.get("us").charged.isDone());
      eu.close();
      assertEquals(7, stores.get("us").charged.get(1, TimeUnit.MINUTES));
      Decision there = us.limiter().tryAcquire(POLICY, Key.user("alice"), 4);
      assertFalse(there.admitted());
    }
  }

  private static RegionCounts ask(Weir weir, Decision decision) {
    return WeirRuntime.of(weir).askRegions(List.of(decision)).get(decision);
  }

  private static List<Long> used(RegionCounts counts) {
    return counts.counts().stream()
        .map(each -> each.answer().map(RegionCount.Answer::used).orElse(-1L))
        .toList();
  }

  @Test
  void eachRegionSaysWhatItHasCountedOfABucket() throws Exception {
    try (Weir eu = weir("eu", "us", Map.of());
        Weir us = weir("us", "eu", Map.of())) {
      Decision taken = eu.limiter().tryAcquire(POLICY, Key.user("alice"), 7);
      assertEquals(7, stores.get("us").charged.get(1, TimeUnit.MINUTES));
      assertEquals(List.of(7L, 7L), used(ask(eu, taken)));
      Decision there = us.limiter().peek(new PermitRequest(POLICY, Key.user("alice")));
      assertEquals(List.of(7L, 7L), used(ask(us, there)));
      assertEquals("us", ask(us, there).counts().get(0).region());
    }
  }

  @Test
  void regionsWithSharesAreAskedWhereTheirAddressIsKnown() {
    try (Weir eu = weir("eu", "us", SHARES);
        Weir us = weir("us", "eu", SHARES)) {
      Decision taken = eu.limiter().tryAcquire(POLICY, Key.user("alice"), 2);
      assertTrue(us.limiter().tryAcquire(POLICY, Key.user("alice"), 3).admitted());
      RegionCounts counts = awaitAnswers(eu, taken);
      assertEquals(List.of(2L, 3L), used(counts));
      assertEquals(List.of(6L, 4L), counts.counts().stream().map(RegionCount::limit).toList());
    }
    assertTrue(stores.get("us").closed.getCount() == 0, "also by who only asks it");
    assertRefused(
        Map.of(
            "weir.regions.mode", "shares",
            "weir.regions.shares", "eu@60,us@40",
            "weir.region.us.store", "inprocess:"),
        "weir.region.us.store: regions use each other's stores, so it must be one");
  }

  /** Looks until all regions answer: their nodes keep their marks soon after their start. */
  private static RegionCounts awaitAnswers(Weir weir, Decision decision) {
    RegionCounts counts = ask(weir, decision);
    while (counts.counts().stream().anyMatch(each -> each.answer().isEmpty())) {
      Thread.onSpinWait();
      counts = ask(weir, decision);
    }
    return counts;
  }

  @Test
  void aRegionWithAnotherSecretIsNamedWhereItsCallersWouldLookUnused() {
    Map<String, String> another = new HashMap<>(SHARES);
    another.put("weir.secret", "another secret");
    try (Weir us = weir("us", "eu", another);
        Weir eu = weir("eu", "us", SHARES)) {
      assertTrue(us.limiter().tryAcquire(POLICY, Key.user("alice"), 3).admitted());
      Decision taken = eu.limiter().tryAcquire(POLICY, Key.user("alice"), 2);
      String silence = "";
      while (!silence.startsWith("its store is that of 'region us, secret ")) {
        Thread.onSpinWait();
        silence = ask(eu, taken).counts().get(1).silence().orElseThrow();
      }
    }
  }

  /** First as shares, then eventually, and back, each with the marks that are there. */
  @Test
  void aChangeOfTheModeKeepsTheMarks() throws Exception {
    try (LogLines log = new LogLines()) {
      for (Map<String, String> mode : List.of(SHARES, Map.<String, String>of(), SHARES)) {
        try (Weir eu = weir("eu", "us", mode);
            Weir us = weir("us", "eu", mode)) {
          Decision taken = eu.limiter().tryAcquire(POLICY, Key.user("alice"), 1);
          assertTrue(taken.admitted());
          awaitAnswers(eu, taken);
          awaitAnswers(us, us.limiter().peek(new PermitRequest(POLICY, Key.user("alice"))));
          if (mode.isEmpty()) {
            awaitAnswer(eu);
            assertTrue(stores.get("us").charged.get(1, TimeUnit.MINUTES) > 0);
          }
        }
      }
      assertEquals(List.of(), log.warnings());
    }
  }

  @Test
  void regionsWithSharesNeedNoAddressesAndMayCountInAProcess() {
    Map<String, String> settings = new HashMap<>(SHARES);
    settings.put("weir.region", "eu");
    settings.put("weir.secret", "a secret of all regions");
    try (Weir eu = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      Decision taken = eu.limiter().tryAcquire(POLICY, Key.user("alice"), 2);
      assertEquals(
          Optional.of("weir.region.us.store isn't set here"),
          ask(eu, taken).counts().get(1).silence());
      assertEquals("counts 60 % of each limit", eu.regions().get(0).describe());
    }
  }

  private static void awaitAnswer(Weir weir) {
    while (weir.regions().get(1).reported().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void isMeasured() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Weir eu =
        Weir.builder()
            .onlyGivenSettings()
            .settings(
                Map.of(
                    "weir.region", "eu",
                    "weir.store", "shared:eu",
                    "weir.region.us.store", "shared:us",
                    "weir.secret", "a secret"))
            .storeProvider(provider)
            .metrics(new MicrometerMetrics(registry))
            .build();
    assertTrue(eu.limiter().tryAcquire(POLICY, Key.user("alice"), 3).admitted());
    assertEquals(3, registry.get("weir.region.unreported").tag("region", "us").gauge().value());
    assertEquals(0, registry.get("weir.region.dropped").gauge().value());
    assertTrue(
        Double.isNaN(registry.get("weir.region.silence").tag("region", "us").gauge().value()));
    eu.close();
    assertTrue(
        registry.getMeters().stream()
            .noneMatch(each -> each.getId().getName().startsWith("weir.region")));
  }

  @Test
  void refusesStoresThatNodesDoNotShare() {
    assertRefused(
        Map.of("weir.store", "inprocess:"),
        "weir.store: regions use each other's stores, so it must be one that nodes share,"
            + " such as redis://host or jdbc:postgresql://host/database");
    assertRefused(
        Map.of("weir.region.us.store", "inprocess:"),
        "weir.region.us.store: regions use each other's stores, so it must be one that nodes"
            + " share, such as redis://host or jdbc:postgresql://host/database");
    assertRefused(
        Map.of("weir.region.us.store", "nowhere:"),
        "weir.region.us.store: no store on the class path has the scheme 'nowhere'");
    assertRefused(
        Map.of("weir.region.us.store", "redis://us:password@localhost:port"),
        "weir.region.us.store must be redis[s]://");
  }

  private void assertRefused(Map<String, String> wrong, String message) {
    InvalidSettingException refused =
        assertThrows(InvalidSettingException.class, () -> weir("eu", "us", wrong).close());
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
  }

  @Test
  void addsNothingWithoutRegions() {
    try (Weir weir =
        Weir.builder()
            .onlyGivenSettings()
            .settings(Map.of("weir.store", "shared:alone"))
            .storeProvider(provider)
            .build()) {
      assertEquals(List.of(), weir.regions());
      Decision taken = weir.limiter().tryAcquire(POLICY, Key.user("alice"));
      assertTrue(taken.admitted());
      int asked = stores.get("alone").asked.get();
      assertEquals(Map.of(), WeirRuntime.of(weir).askRegions(List.of(taken)));
      assertEquals(asked, stores.get("alone").asked.get());
    }
  }
}
