package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.spi.DecisionTracing;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what is recorded on the span that is current when a decision begins. */
class TracingTest {
  private static final Key CALLER = Key.of("alice");

  private final RecordedSpans spans = new RecordedSpans();

  /** Answers when the test says so. */
  private static final class LateStore implements PermitStore {
    private final CompletableFuture<List<Optional<Grant>>> answer = new CompletableFuture<>();

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return answer;
    }

    void answer() {
      answer.completeExceptionally(new IllegalStateException("on purpose"));
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static Policy policy(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofMinutes(1)).build();
  }

  private RateLimiter limiter() {
    return RateLimiter.builder().tracing(spans).build();
  }

  @Test
  void recordsPolicyAndOutcome() {
    spans.begin("get");
    try (RateLimiter limiter = limiter()) {
      assertTrue(limiter.tryAcquire(policy("hello", 1), CALLER).admitted());
      limiter.tryAcquire(policy("hello", 1), CALLER);
      limiter.tryAcquire(
          Policy.builder("tried").limit(1).window(Duration.ofMinutes(1)).shadow(true).build(),
          CALLER,
          1);
      limiter.tryAcquire(
          Policy.builder("tried").limit(1).window(Duration.ofMinutes(1)).shadow(true).build(),
          CALLER,
          1);
    }
    assertEquals(
        List.of(
            "get hello admitted",
            "get hello refused",
            "get tried admitted",
            "get tried shadow-refused"),
        spans.recorded());
    assertEquals(0, spans.waited());
  }

  @Test
  void ofSeveralPoliciesNamesTheOneThatDecides() throws Exception {
    spans.begin("get");
    List<PermitRequest> both =
        List.of(
            new PermitRequest(policy("large", 100), CALLER),
            new PermitRequest(policy("small", 1), CALLER));
    try (RateLimiter limiter = limiter()) {
      limiter.tryAcquire(both);
      limiter.tryAcquireAsync(both).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    assertEquals(List.of("get small admitted", "get small refused"), spans.recorded());
  }

  @Test
  void recordsNothingWithoutASpanNorForAPeek() {
    try (RateLimiter limiter = limiter()) {
      limiter.tryAcquire(policy("hello", 5), CALLER);
      spans.begin("get");
      limiter.peek(new PermitRequest(policy("hello", 5), CALLER));
    }
    assertEquals(List.of(), spans.recorded());
  }

  @Test
  void usesTheSpanOfTheThreadThatAskedAlsoIfAnotherOneCompletes() throws Exception {
    FakeTicker ticker = new FakeTicker();
    LateStore store = new LateStore();
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(store)
            .ticker(ticker)
            .storeTimeout(Duration.ofHours(1))
            .tracing(spans)
            .build()) {
      spans.begin("asked");
      CompletableFuture<Decision> decision =
          limiter
              .tryAcquireAsync(List.of(new PermitRequest(policy("hello", 5), CALLER)))
              .toCompletableFuture();
      spans.begin("later");
      ticker.advance(Duration.ofMillis(12));
      Thread other =
          new Thread(
              () -> {
                spans.begin("other");
                store.answer();
              });
      other.start();
      decision.get(60, TimeUnit.SECONDS);
      other.join();
    }
    assertEquals(List.of("asked hello admitted"), spans.recorded());
    assertEquals(12, spans.waited());
  }

  @Test
  void recordsTheWaitOfAThreadThatWaits() {
    FakeTicker ticker = new FakeTicker();
    PermitStore slow =
        new PermitStore() {
          @Override
          public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
            ticker.advance(Duration.ofMillis(7));
            return CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
          }

          @Override
          public long size() {
            return 0;
          }

          @Override
          public void close() {}
        };
    spans.begin("get");
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(slow)
            .ticker(ticker)
            .storeTimeout(Duration.ofHours(1))
            .tracing(spans)
            .build()) {
      limiter.tryAcquire(policy("hello", 5), CALLER);
    }
    assertEquals(List.of("get hello admitted"), spans.recorded());
    assertEquals(7, spans.waited());
  }

  @Test
  void aTracerThatThrowsChangesNoDecisionAndIsLoggedOnce() throws Exception {
    List<DecisionTracing> broken =
        List.of(
            () -> {
              throw new NoClassDefFoundError("io/example/Tracer");
            },
            () ->
                Optional.of(
                    (policy, outcome, storeWaitMillis) -> {
                      throw new IllegalStateException("on purpose");
                    }));
    for (DecisionTracing each : broken) {
      try (LogLines log = new LogLines();
          RateLimiter limiter = RateLimiter.builder().tracing(each).build()) {
        Policy policy = policy("hello", 2);
        assertTrue(limiter.tryAcquire(policy, CALLER).admitted());
        List<PermitRequest> next = List.of(new PermitRequest(policy, CALLER));
        assertTrue(
            limiter
                .tryAcquireAsync(next)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .admitted());
        assertTrue(!limiter.tryAcquire(policy, CALLER).admitted());
        assertEquals(1, log.containing("The tracer failed").size());
      }
    }
  }
}
