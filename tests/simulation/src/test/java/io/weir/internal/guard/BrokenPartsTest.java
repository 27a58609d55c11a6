package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.RequestInfo;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each part that an application plugs in fails alone: what it was asked for is replaced by its
 * default, that is logged once, and the limit holds.
 */
class BrokenPartsTest {
  private static final int REQUESTS = 6;

  static class Shop {
    @RateLimit(limit = 2, window = 60, tiers = @Tier(name = "gold", limit = 4), name = "tiered")
    public void tiered() {}

    @RateLimit(limit = 2, window = 60, mode = Mode.ELASTIC, exceedBy = 50, name = "elastic")
    public void elastic() {}

    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "tenant", name = "keyed")
    public void keyed() {}
  }

  /** All that application code was seen to throw where it should have answered. */
  static Stream<Supplier<Throwable>> troubles() {
    return Stream.of(
        () -> new IllegalStateException("on purpose"),
        () -> new IOException("on purpose"),
        () -> new NoClassDefFoundError("on purpose"),
        () -> new ExceptionInInitializerError("on purpose"),
        () -> new ServiceConfigurationError("on purpose"),
        () -> new AssertionError("on purpose"),
        () -> new StackOverflowError("on purpose"));
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void withoutItsTierResolverEverybodyHasThePolicysOwnLimit(Supplier<Throwable> trouble)
      throws Exception {
    DefaultWeirBuilder broken =
        new DefaultWeirBuilder().tierResolver((request, policy) -> failed(trouble));
    assertLimitHolds(2, "tiered", broken);
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void withoutItsLoadSensorANodeIsIdle(Supplier<Throwable> trouble) throws Exception {
    DefaultWeirBuilder broken =
        new DefaultWeirBuilder().loadSensor(() -> BrokenPartsTest.<Integer>failed(trouble));
    assertLimitHolds(3, "elastic", broken);
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void withoutItsKeyResolverAPolicyCountsByAddress(Supplier<Throwable> trouble) throws Exception {
    DefaultWeirBuilder broken =
        new DefaultWeirBuilder().keyResolver("tenant", request -> failed(trouble));
    assertLimitHolds(2, "keyed", broken);
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void withoutItsMetricsItDecidesAllTheSame(Supplier<Throwable> trouble) throws Exception {
    assertLimitHolds(2, "tiered", new DefaultWeirBuilder().metrics(new BrokenMetrics(trouble)));
  }

  /** A JVM whose memory is exhausted has more trouble than its limits. */
  @Test
  void whatNobodyCanGoOnFromIsThrown() throws Exception {
    OutOfMemoryError full = new OutOfMemoryError("on purpose");
    try (WeirRuntime weir =
        new DefaultWeirBuilder().tierResolver((request, policy) -> failed(() -> full)).build()) {
      GuardedRequest request = guard(weir, "tiered").enter(FakeRequest.from("192.0.2.1"));
      assertThrows(OutOfMemoryError.class, () -> request.decide(BEFORE_AUTHENTICATION));
    }
  }

  @Test
  void aRequestThatCannotBeReadIsAdmittedAlsoWhereRoutesAreRemembered() throws Exception {
    try (WeirRuntime weir = new DefaultWeirBuilder().build()) {
      weir.rememberRoutes();
      GuardedRequest request = guard(weir, "tiered").enter(unreadable());
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      request.completed(200);
    }
  }

  @Test
  void troubleIsSaidOnceAlsoWhereAUrlHasAPolicy() throws Exception {
    Map<String, String> settings =
        Map.of(
            "weir.policy.all.url", "/*",
            "weir.policy.all.limit", "100",
            "weir.policy.all.window", "60s");
    try (WeirRuntime weir = new DefaultWeirBuilder().settings(settings).build();
        LogLines log = new LogLines()) {
      for (int i = 0; i < REQUESTS; i++) {
        guard(weir, "tiered")
            .and(weir.endpoint("/x", false, false))
            .enter(unreadable())
            .decide(BEFORE_AUTHENTICATION);
      }
      assertEquals(1, log.containing("on purpose").size());
    }
  }

  private static void assertLimitHolds(int limit, String method, DefaultWeirBuilder builder)
      throws Exception {
    try (LogLines log = new LogLines();
        WeirRuntime weir = builder.ticker(new FakeTicker()).build()) {
      GuardedEndpoint guard = guard(weir, method);
      List<Boolean> admitted =
          Stream.generate(() -> guard.enter(FakeRequest.from("192.0.2.1")))
              .limit(REQUESTS)
              .map(each -> each.decide(BEFORE_AUTHENTICATION).isEmpty())
              .toList();
      assertEquals(
          Stream.iterate(0, i -> i < REQUESTS, i -> i + 1).map(i -> i < limit).toList(), admitted);
      assertEquals(1, log.containing("on purpose").size());
    }
  }

  private static GuardedEndpoint guard(WeirRuntime weir, String method)
      throws NoSuchMethodException {
    return weir.endpoint(Shop.class, Shop.class.getMethod(method), EndpointType.SERVLET);
  }

  private static RequestInfo unreadable() {
    return (RequestInfo)
        Proxy.newProxyInstance(
            RequestInfo.class.getClassLoader(),
            new Class<?>[] {RequestInfo.class},
            (proxy, method, arguments) -> {
              throw new IllegalStateException("on purpose");
            });
  }

  private static <T> T failed(Supplier<Throwable> trouble) {
    throw BrokenPartsTest.<RuntimeException>sneaky(trouble.get());
  }

  /** Throws checked exceptions as other languages do. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the trick itself
  private static <X extends Throwable> X sneaky(Throwable trouble) throws X {
    throw (X) trouble;
  }

  /** Fails at each of its tasks. */
  private record BrokenMetrics(Supplier<Throwable> trouble) implements DecisionMetrics {
    @Override
    public void decided(Decision part) {
      failed(trouble);
    }

    @Override
    public void took(long nanos) {
      failed(trouble);
    }

    @Override
    public void bucketsHeld(LongSupplier held) {
      failed(trouble);
    }

    @Override
    public void close() {
      failed(trouble);
    }
  }
}
