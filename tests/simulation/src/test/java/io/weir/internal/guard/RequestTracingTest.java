package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.engine.RecordedSpans;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a decision is recorded on the span of its request, whichever threads decide it. */
class RequestTracingTest {
  private final RecordedSpans spans = new RecordedSpans();
  private final LateSource source = new LateSource();
  private final ExecutorService others = Executors.newSingleThreadExecutor();
  private WeirRuntime weir;

  static class Shop {
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "buy")
    public void buy() {}
  }

  /** Answers in a thread of its own. */
  private final class LateSource implements PolicySource {
    private volatile List<AppliedPolicy> applied = List.of();

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.supplyAsync(() -> AppliedPolicies.of(applied), others);
    }
  }

  @BeforeEach
  void open() throws Exception {
    weir =
        new DefaultWeirBuilder()
            .tracing(spans)
            .policySource(source)
            .settings(Map.of("weir.store.timeout", "10s"))
            .build();
    others.submit(() -> spans.begin("of another thread")).get(60, TimeUnit.SECONDS);
    spans.begin("request");
  }

  @AfterEach
  void close() {
    weir.close();
    others.shutdownNow();
  }

  private GuardedRequest enter() throws NoSuchMethodException {
    return weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.SERVLET)
        .enter(FakeRequest.from("192.0.2.1").user("alice").endpoint("/shop"));
  }

  @Test
  void aRequestThatDoesNotBlock() throws Exception {
    for (int i = 0; i < 2; i++) {
      enter()
          .decideAsync(AFTER_AUTHENTICATION, others)
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
    }
    enter()
        .decideAsync(AFTER_AUTHENTICATION, Runnable::run)
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    assertEquals(
        List.of("request buy admitted", "request buy refused", "request buy refused"),
        spans.recorded());
  }

  @Test
  void aCallThatDoesNotBlock() throws Exception {
    enter().admitAsync(others).toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertThrows(
        ExecutionException.class,
        () -> enter().admitAsync(others).toCompletableFuture().get(60, TimeUnit.SECONDS));
    assertEquals(List.of("request buy admitted", "request buy refused"), spans.recorded());
  }

  @Test
  void aCallOfTheLimiter() throws Exception {
    Policy policy = Policy.builder("own").limit(5).window(Duration.ofMinutes(1)).build();
    weir.limiter()
        .tryAcquireAsync(List.of(new PermitRequest(policy, Key.of("any"))))
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    assertEquals(List.of("request own admitted"), spans.recorded());
  }

  @Test
  void requestsThatAreServedElsewhere() throws Exception {
    source.applied =
        List.of(
            AppliedPolicy.of(
                Policy.builder("rule").limit(2).window(Duration.ofMinutes(1)).by(By.IP).build()));
    RequestInfo asked = FakeRequest.from("192.0.2.1").endpoint("/shop");
    weir.checker().check(asked).toCompletableFuture().get(60, TimeUnit.SECONDS);
    weir.checker()
        .checkTogether(List.of(asked, asked))
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    assertEquals(List.of("request rule admitted", "request rule refused"), spans.recorded());
  }

  @Test
  void whatTheSourceRefusesByItself() throws Exception {
    source.applied =
        List.of(
            AppliedPolicy.blocked(
                Policy.builder("blocked").limit(1).window(Duration.ofMinutes(1)).by(By.IP).build(),
                Instant.now().plusSeconds(600)));
    enter()
        .decideAsync(AFTER_AUTHENTICATION, Runnable::run)
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    assertEquals(List.of("request blocked refused"), spans.recorded());
    enter().decide(AFTER_AUTHENTICATION);
    assertEquals(2, spans.recorded().size(), spans.recorded().toString());
    assertThrows(RateLimitExceededException.class, () -> enter().admit());
    assertEquals("request blocked refused", spans.recorded().get(2));
  }

  @Test
  void aGroupIsRecordedOnceWithWhatRefusesIt() throws Exception {
    Policy blocked =
        Policy.builder("blocked").limit(1).window(Duration.ofMinutes(1)).by(By.IP).build();
    Policy tried =
        Policy.builder("tried")
            .limit(1)
            .window(Duration.ofMinutes(1))
            .by(By.IP)
            .shadow(true)
            .build();
    Instant soon = Instant.now().plusSeconds(600);
    source.applied =
        List.of(AppliedPolicy.blocked(blocked, soon), AppliedPolicy.blocked(tried, soon));
    RequestInfo asked = FakeRequest.from("192.0.2.1").endpoint("/shop");
    weir.checker()
        .checkTogether(List.of(asked, asked))
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
    assertEquals(List.of("request blocked refused"), spans.recorded());
  }
}
