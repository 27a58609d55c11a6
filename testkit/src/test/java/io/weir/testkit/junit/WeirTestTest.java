package io.weir.testkit.junit;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.testkit.FakeTicker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs classes with {@link WeirTest}, and looks at what their tests were given. */
class WeirTestTest {
  @BeforeEach
  void forget() {
    Seen.forget();
  }

  private static List<Event> failed(Class<?> type) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(type))
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter(
            "junit.jupiter.execution.parallel.config.executor-service", "FORK_JOIN_POOL")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
        .execute()
        .allEvents()
        .failed()
        .list();
  }

  private static void runs(Class<?> type, int weirs) {
    assertEquals(List.of(), failed(type));
    assertEquals(weirs, Seen.weirs().size());
    for (Weir each : Seen.weirs()) {
      assertTrue(Seen.isClosed(each), "closed");
    }
  }

  private static String failure(Class<?> type) {
    List<Event> failed = failed(type);
    assertEquals(1, failed.size());
    return failed.toString();
  }

  @WeirTest
  static class TwoMethods {
    @BeforeEach
    void before(Weir weir, RateLimiter limiter) {
      Seen.add(weir);
      Seen.takeTheOnlyPermit(limiter);
    }

    @Test
    void belongTogether(Weir weir, FakeTicker ticker, RateLimiter limiter) {
      assertSame(weir.limiter(), limiter);
      Decision second = limiter.tryAcquire(Seen.ONE, Key.of("alice"));
      assertThat(second).refused();
      ticker.advance(second.retryAfter());
      Seen.takeTheOnlyPermit(limiter);
    }

    @Test
    void areOfOneTest(Weir weir) {
      Seen.add(weir);
    }

    @AfterEach
    void isStillOpen(Weir weir) {
      Seen.add(weir);
      assertEquals(false, Seen.isClosed(weir));
    }
  }

  @Test
  void eachTestHasItsOwnAndItIsClosedAfterIt() {
    runs(TwoMethods.class, 2);
  }

  @WeirTest
  static class SeveralTimes {
    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void withArguments(String argument, RateLimiter limiter, Weir weir) {
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }

    @RepeatedTest(2)
    void again(RateLimiter limiter, Weir weir) {
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }
  }

  @Test
  void eachInvocationHasItsOwn() {
    runs(SeveralTimes.class, 4);
  }

  @WeirTest
  static class InConstructors {
    private final Weir mine;

    InConstructors(Weir weir, RateLimiter limiter) {
      Seen.takeTheOnlyPermit(limiter);
      this.mine = weir;
    }

    @Test
    void one(Weir weir) {
      assertSame(mine, weir);
      Seen.add(weir);
    }

    @Test
    void two(Weir weir) {
      assertSame(mine, weir);
      Seen.add(weir);
    }

    @Nested
    class Inner {
      private final FakeTicker ticker;

      Inner(FakeTicker ticker) {
        this.ticker = ticker;
      }

      @Test
      void three(Weir weir, FakeTicker same) {
        assertSame(mine, weir);
        assertSame(ticker, same);
        Seen.add(weir);
      }
    }
  }

  @Test
  void constructorsHaveThatOfTheirTestAlsoNestedOnes() {
    runs(InConstructors.class, 3);
  }

  @WeirTest
  @TestInstance(Lifecycle.PER_CLASS)
  static class OneInstance {
    @Test
    void one(RateLimiter limiter, Weir weir) {
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }

    @Test
    void two(RateLimiter limiter, Weir weir) {
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }
  }

  @Test
  void testsOfOneInstanceHaveTheirOwn() {
    runs(OneInstance.class, 2);
  }

  @WeirTest
  @TestInstance(Lifecycle.PER_CLASS)
  static class OneInstanceTakesOne {
    private final Weir mine;

    OneInstanceTakesOne(Weir weir) {
      this.mine = weir;
    }

    @Test
    void one(Weir weir) {
      assertSame(mine, weir);
      Seen.add(weir);
    }

    @Test
    void two(Weir weir) {
      assertSame(mine, weir);
      Seen.add(weir);
    }
  }

  @Test
  void whatOneInstanceTakesIsOfAllItsTests() {
    runs(OneInstanceTakesOne.class, 1);
  }

  @WeirTest
  static class BeforeAllTakesOne {
    private static Weir ours;

    @BeforeAll
    static void take(Weir weir) {
      ours = weir;
      Seen.add(weir);
    }

    @Test
    void one(Weir weir) {
      assertSame(ours, weir);
    }

    @Nested
    class Inner {
      @Test
      void two(Weir weir) {
        assertSame(ours, weir);
      }
    }
  }

  @Test
  void whatIsTakenBeforeAllIsOfTheClass() {
    runs(BeforeAllTakesOne.class, 1);
  }

  @WeirTest
  @Execution(ExecutionMode.CONCURRENT)
  static class AtOnce {
    private static final CountDownLatch BOTH = new CountDownLatch(2);

    private static void meet(Weir weir) throws InterruptedException {
      Seen.add(weir);
      BOTH.countDown();
      assertTrue(BOTH.await(5, TimeUnit.MINUTES), "the other test runs meanwhile");
      Seen.takeTheOnlyPermit(weir.limiter());
    }

    @Test
    void one(Weir weir) throws InterruptedException {
      meet(weir);
    }

    @Test
    void two(Weir weir) throws InterruptedException {
      meet(weir);
    }
  }

  @Test
  void testsThatRunAtOnceShareNothing() {
    runs(AtOnce.class, 2);
  }

  @WeirTest(settings = {"weir.headers=none", "weir.store.nodes=2"})
  static class WithSettings {
    @Test
    void ofTheClass(Weir weir) {
      assertEquals(2, weir.nodes());
    }

    @Test
    @WeirTest(settings = " weir.store.nodes = 3 ")
    void ofTheMethodToo(Weir weir) {
      assertEquals(3, weir.nodes());
      Seen.add(weir);
    }

    @Nested
    @WeirTest(settings = "weir.store.nodes=4")
    class Inner {
      @Test
      void ofTheNestedClass(Weir weir) {
        assertEquals(4, weir.nodes());
      }
    }
  }

  static class Inherits extends WithSettings {}

  @Test
  void theInnermostSettingWins() {
    runs(WithSettings.class, 1);
    runs(Inherits.class, 2);
  }

  static class Malformed {
    @Test
    @WeirTest(settings = "weir.store.nodes")
    void fails(Weir weir) {}
  }

  @Test
  void aSettingWithoutAValueIsRefused() {
    String failure = failure(Malformed.class);
    assertTrue(failure.contains("Malformed.fails"), failure);
    assertTrue(failure.contains("settings has \"weir.store.nodes\"; write"), failure);
  }

  @WeirTest
  static class TooLate {
    @BeforeAll
    static void take(Weir weir) {}

    @Test
    @WeirTest(settings = "weir.store.nodes=2")
    void fails(Weir weir) {}
  }

  @Test
  void aSettingForAWeirThatIsThereIsRefused() {
    String failure = failure(TooLate.class);
    assertTrue(failure.contains("TooLate.fails"), failure);
    assertTrue(failure.contains("too late"), failure);
  }

  static class WithParts {
    @RegisterExtension
    static final WeirExtension WEIR =
        new WeirExtension(weir -> weir.settings(Map.of("weir.store.nodes", "2")));

    @Test
    void areGiven(Weir weir, RateLimiter limiter) {
      assertEquals(2, weir.nodes());
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }

    @Test
    void areGivenToEachTest(Weir weir, RateLimiter limiter) {
      Seen.takeTheOnlyPermit(limiter);
      Seen.add(weir);
    }
  }

  @Test
  void aRegisteredExtensionGivesParts() {
    runs(WithParts.class, 2);
  }
}
