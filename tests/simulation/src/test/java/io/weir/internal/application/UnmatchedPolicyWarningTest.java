package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.guard.GuardedPolicy;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.spi.CallerTier;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Weir's checks every few seconds: policies that match no request, and a clock that jumps. */
class UnmatchedPolicyWarningTest {
  private static final String URL = "weir.policy.%s.url";
  private static final int FEW = 5_000;
  private static final int ENOUGH = 15_000;

  private final Logger log = Logger.getLogger("io.weir");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (line.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
            lines.add(line.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final FakeTicker ticker = new FakeTicker();
  private final SafeTierResolver tiers =
      new SafeTierResolver((request, policy) -> CallerTier.none());
  private Runnable chores = () -> {};
  private PolicyCatalog catalog;
  private WeirRuntime services;

  /** Keeps what is to run every few seconds, for the test to run. */
  private final class Held extends ScheduledThreadPoolExecutor {
    Held() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable command, long initialDelay, long delay, TimeUnit unit) {
      chores = command;
      return schedule(() -> {}, 1, TimeUnit.DAYS);
    }
  }

  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS, name = "rare")
  static class Rare {}

  @RateLimit(
      limit = 1,
      window = 1,
      unit = ChronoUnit.DAYS,
      name = "tiered",
      tiers = @Tier(name = "gold", limit = 2))
  static class Tiered {}

  @BeforeEach
  void listen() {
    log.addHandler(handler);
    log.setUseParentHandlers(false);
    ClassLoader loader = getClass().getClassLoader();
    Map<String, String> given = new LinkedHashMap<>();
    for (String name : List.of("api", "typo")) {
      given.put(URL.formatted(name), "/" + name + "/*");
      given.put("weir.policy." + name + ".limit", "1");
      given.put("weir.policy." + name + ".window", "1d");
    }
    LiveSettings settings = LiveSettings.load(loader, given);
    catalog = new PolicyCatalog(settings, Set.of());
    catalog.check(List.of(Rare.class, Tiered.class), EndpointType.SERVLET);
    services =
        new WeirRuntime(
            settings,
            RateLimiter.inProcess(),
            new InProcessStore(new FakeTicker(), 1),
            "inprocess:",
            ReportedRegions.NONE,
            ApplicationExtensions.of(new GivenExtensions(), loader, name -> ""),
            catalog,
            ticker,
            new InFlightCounter(),
            new MaintenanceTasks(new Held(), () -> {}),
            loader);
  }

  @AfterEach
  void leave() {
    services.close();
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
  }

  private void ask(GuardedPolicy policy, int times) {
    for (int i = 0; i < times; i++) {
      policy.request(FakeRequest.from("192.0.2.1"), tiers, CallerTier.none());
    }
  }

  private GuardedPolicy ofPath(String path) {
    return services.endpoints().policy(catalog.byPath(path).get(0));
  }

  @Test
  void aPatternThatMatchesNothingIsNamedOnceWhenOthersMatchALot() {
    ask(ofPath("/api/a"), FEW);
    chores.run();
    assertEquals(List.of(), lines);
    ask(ofPath("/api/a"), ENOUGH);
    chores.run();
    chores.run();
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("The policy typo (/typo/*) matched no request"));
  }

  @Test
  void anEndpointThatNobodyCallsIsNamedMuchLater() {
    ask(ofPath("/typo/a"), 1);
    ask(ofPath("/api/a"), 6 * ENOUGH);
    chores.run();
    assertEquals(List.of(), lines);
    ask(ofPath("/api/a"), 3 * ENOUGH); // far above 100,000, since a sample is counted
    chores.run();
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("The policy rare (")));
  }

  @Test
  void whereNobodyCallsAnythingNothingIsSaid() {
    chores.run();
    services.close();
    assertEquals(List.of(), lines);
  }

  @Test
  void atTheEndAThousandRequestsSuffice() {
    ask(ofPath("/api/a"), FEW);
    services.close();
    assertEquals(1, lines.size(), lines::toString);
    services.close();
    assertEquals(1, lines.size(), lines::toString);
  }

  @Test
  void tiersThatNobodyHasAreNamed() {
    GuardedPolicy tiered =
        services.endpoints().policy(catalog.of(Tiered.class, EndpointType.SERVLET).get(0));
    ask(tiered, 9_999);
    assertEquals(List.of(), lines);
    ask(tiered, 2);
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).contains("TierResolver"));
  }

  @Test
  void aTierThatSomebodyHasIsEnough() {
    GuardedPolicy tiered =
        services.endpoints().policy(catalog.of(Tiered.class, EndpointType.SERVLET).get(0));
    SafeTierResolver gold = new SafeTierResolver((request, policy) -> CallerTier.named("gold"));
    tiered.request(FakeRequest.from("192.0.2.1"), gold, CallerTier.none());
    ask(tiered, 20_000);
    assertEquals(List.of(), lines);
  }

  @Test
  void aClockThatJumpsIsToldOfOnce() {
    for (int i = 0; i < 3; i++) {
      ticker.advance(Duration.ofSeconds(3));
      chores.run();
    }
    assertEquals(List.of(), lines);
    for (int i = 0; i < 3; i++) {
      ticker.advance(Duration.ofSeconds(3)).jumpWall(Duration.ofHours(-1));
      chores.run();
    }
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("The clock of this node jumped back by 3600.0 s"));
  }
}
