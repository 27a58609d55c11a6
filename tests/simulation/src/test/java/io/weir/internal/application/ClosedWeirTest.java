package io.weir.internal.application;

import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.adapter.Refusal;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.PolicySource;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Requests that still arrive after a Weir was closed, when a shutdown hook ran before the server
 * drained.
 */
class ClosedWeirTest {
  private static final Policy DIRECT =
      Policy.builder("direct").limit(1).window(Duration.ofMinutes(1)).build();

  private final LogLines log = new LogLines(Weir.class);
  private final FakeTicker ticker = new FakeTicker();

  static class Shop {
    @RateLimit(limit = 1, window = 60, onStoreFailure = OnStoreFailure.CLOSED)
    public void buy() {}
  }

  /** A store that keeps everybody waiting. */
  private static final class Silent implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return new CompletableFuture<>();
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private static GuardedRequest enter(WeirRuntime weir) throws NoSuchMethodException {
    return weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.JAXRS)
        .enter(FakeRequest.from("192.0.2.1"));
  }

  @Test
  void itAdmitsThroughAdaptersAndLogsItOnce() throws Exception {
    WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).build();
    assertEquals(Optional.empty(), enter(weir).decide(BEFORE_AUTHENTICATION));
    weir.close();
    for (int i = 0; i < 3; i++) {
      GuardedRequest late = enter(weir);
      assertEquals(Optional.empty(), late.decide(BEFORE_AUTHENTICATION));
      assertEquals(
          Optional.empty(),
          late.decideAsync(BEFORE_AUTHENTICATION, Runnable::run)
              .toCompletableFuture()
              .get(120, TimeUnit.SECONDS));
      assertDoesNotThrow(late::admit);
      assertEquals(List.of(), late.headers());
      late.completed(200);
    }
    assertEquals(1, log.containing("Requests still arrive").size(), log.lines()::toString);
  }

  @Test
  void itAdmitsAlsoWhereTheLoggerThrows() throws Exception {
    Logger logger = Logger.getLogger(Weir.class.getName());
    Handler broken =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            throw new IllegalStateException("this application has been stopped already");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).build();
    weir.close();
    logger.addHandler(broken);
    try {
      assertEquals(Optional.empty(), enter(weir).decide(BEFORE_AUTHENTICATION));
    } finally {
      logger.removeHandler(broken);
    }
  }

  @Test
  void itLogsNothingWhereNobodyComes() {
    new DefaultWeirBuilder().ticker(ticker).build().close();
    assertEquals(List.of(), log.containing("Requests still arrive"));
  }

  @Test
  void switchedOffItHasNothingToSay() throws Exception {
    WeirRuntime weir =
        new DefaultWeirBuilder().ticker(ticker).settings(Map.of("weir.enabled", "false")).build();
    weir.close();
    assertEquals(Optional.empty(), enter(weir).decide(BEFORE_AUTHENTICATION));
    assertEquals(List.of(), log.containing("Requests still arrive"));
  }

  @Test
  void whoWaitsForTheStoreMeanwhileIsAdmittedToo() throws Exception {
    WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).store(new Silent()).build();
    CompletableFuture<Optional<Refusal>> waiting =
        enter(weir).decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture();
    weir.close();
    assertEquals(Optional.empty(), waiting.get(120, TimeUnit.SECONDS));
  }

  @Test
  void aPolicySourceIsAskedNothing() throws Exception {
    PolicySource refuses =
        (request, tier, phase, bound) -> {
          throw new AssertionError("asked after the end");
        };
    WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).policySource(refuses).build();
    GuardedRequest late = enter(weir);
    weir.close();
    assertEquals(Optional.empty(), late.decide(BEFORE_AUTHENTICATION));
    assertFalse(late.isDecided());
  }

  @Test
  void callersOfTheLimiterLearnThatNothingIsCounted() {
    WeirRuntime weir = new DefaultWeirBuilder().ticker(ticker).build();
    weir.close();
    assertEquals(
        Reason.STORE_UNAVAILABLE, weir.limiter().tryAcquire(DIRECT, Key.everybody()).reason());
    assertTrue(log.containing("Requests still arrive").isEmpty());
  }
}
