package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A policy that the store can't count stops the start. */
class CountableTest {
  static class Shop {
    @RateLimit(limit = 1, window = 60)
    public void sliding() {}

    @RateLimit(limit = 1, window = 60, algorithm = Algorithm.TOKEN_BUCKET)
    public void tokens() {}

    @RateLimit(limit = 0, window = 60, algorithm = Algorithm.LEAKY_BUCKET)
    public void leaky() {}
  }

  static class Fine {
    @RateLimit(limit = 1, window = 60, algorithm = Algorithm.TOKEN_BUCKET)
    public void tokens() {}
  }

  static class Refilled {
    @RateLimit(limit = 9, refill = 1, window = 60, algorithm = Algorithm.TOKEN_BUCKET)
    public void tokens() {}
  }

  static class Monthly {
    @RateLimit(limit = 9, window = 1, unit = ChronoUnit.MONTHS)
    public void months() {}
  }

  /** Counts by one algorithm only. */
  private static final class OneAlgorithm implements PermitStore {
    private final PermitStore store = new InProcessStore(new FakeTicker(), 10);
    private final Algorithm algorithm;
    private int closes;

    OneAlgorithm() {
      this(Algorithm.TOKEN_BUCKET);
    }

    OneAlgorithm(Algorithm algorithm) {
      this.algorithm = algorithm;
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return store.execute(claims);
    }

    @Override
    public Set<Algorithm> algorithms() {
      return EnumSet.of(algorithm);
    }

    @Override
    public long size() {
      return store.size();
    }

    @Override
    public void close() {
      closes++;
      store.close();
    }
  }

  private static WeirRuntime weir(PermitStore store, Map<String, String> settings) {
    return new DefaultWeirBuilder().store(store).settings(settings).build();
  }

  @Test
  void allThatTheStoreCannotCountIsInOneMessageWithAllOtherMistakes() {
    try (WeirRuntime weir = weir(new OneAlgorithm(), Map.of())) {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> weir.check(List.of(Shop.class), EndpointType.SERVLET))
              .getMessage();
      for (String line :
          List.of(
              "CountableTest$Shop#sliding: algorithm = SLIDING_WINDOW: the store that was given"
                  + " counts only by TOKEN_BUCKET",
              "CountableTest$Shop#leaky: algorithm = LEAKY_BUCKET: the store that was given"
                  + " counts only by TOKEN_BUCKET",
              "CountableTest$Shop#leaky: limit = 0: must be 1 to 1,000,000,000")) {
        assertTrue(message.contains(line), message);
      }
      assertEquals(3, message.lines().filter(line -> line.contains("#")).count(), message);
    }
  }

  @Test
  void aSettingThatNamesAnotherAlgorithmIsNamedItself() {
    Map<String, String> setting = Map.of("weir.policy.CountableTest.Fine.tokens.limit", "2");
    try (WeirRuntime weir = weir(new OneAlgorithm(), setting)) {
      weir.check(List.of(Fine.class), EndpointType.SERVLET);
    }
    Map<String, String> settings = Map.of("weir.policy.Fine.tokens.algorithm", "fixed-window");
    try (WeirRuntime weir = weir(new OneAlgorithm(), settings)) {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> weir.check(List.of(Fine.class), EndpointType.SERVLET))
              .getMessage();
      assertTrue(
          message.contains("weir.policy.Fine.tokens.algorithm = FIXED_WINDOW: the store"), message);
    }
  }

  @Test
  void aStoreThatDoesNotSayMoreCountsNoBucketsWithTheirOwnRefill() {
    try (WeirRuntime weir = weir(new OneAlgorithm(), Map.of())) {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> weir.check(List.of(Refilled.class), EndpointType.SERVLET))
              .getMessage();
      assertTrue(
          message.contains(
              "CountableTest$Refilled#tokens: refill = 1: the store that was given counts no"
                  + " buckets with their own refill"),
          message);
      assertEquals(1, message.lines().filter(line -> line.contains("#")).count(), message);
    }
    InProcessStore all = new InProcessStore(new FakeTicker(), 10);
    try (WeirRuntime weir = weir(all, Map.of())) {
      weir.check(List.of(Refilled.class), EndpointType.SERVLET);
    }
  }

  @Test
  void aStoreThatDoesNotSayMoreCountsNoWindowsByTheCalendar() {
    try (WeirRuntime weir = weir(new OneAlgorithm(Algorithm.FIXED_WINDOW), Map.of())) {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> weir.check(List.of(Monthly.class), EndpointType.SERVLET))
              .getMessage();
      assertTrue(
          message.contains("the store that was given counts no windows by the calendar"), message);
    }
  }

  @Test
  void aPolicyOfAPathFailsTheStart() {
    Map<String, String> settings =
        Map.of(
            "weir.policy.api.url", "/api/*",
            "weir.policy.api.limit", "5",
            "weir.policy.api.window", "1m");
    String message =
        assertThrows(InvalidPolicyException.class, () -> weir(new OneAlgorithm(), settings))
            .getMessage();
    assertTrue(
        message.contains("weir.policy.api: algorithm = SLIDING_WINDOW: the store that was given"),
        message);
  }

  @Test
  void aStoreIsClosedIfTheStartFails() {
    OneAlgorithm store = new OneAlgorithm();
    Map<String, String> settings = Map.of("weir.default.limit", "5", "weir.default.window", "1m");
    assertThrows(InvalidPolicyException.class, () -> weir(store, settings));
    assertTrue(store.closes > 0);
  }
}
