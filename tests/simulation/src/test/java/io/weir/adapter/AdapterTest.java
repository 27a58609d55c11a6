package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an adapter of somebody else meets. */
class AdapterTest {
  private static final EndpointType PAGE =
      new EndpointType("PAGE", true, false, false, any -> Optional.empty());

  private final FakeTicker ticker = new FakeTicker();
  private final List<String> tierThreads = new ArrayList<>();
  private final Weir weir =
      Weir.builder()
          .ticker(ticker)
          .tierResolver(
              (request, policy) -> {
                tierThreads.add(Thread.currentThread().getName());
                return CallerTier.none();
              })
          .build();
  private final Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));

  static class Shop {
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "buy")
    public String buy() {
      return "bought";
    }

    @RateLimit(limit = 2, window = 60, by = By.IP, name = "mail")
    public void mail() {}

    @RateLimit(limit = 2, window = 60, by = By.IP, name = "tries", count = Count.FAILURES)
    public void tries() {}

    @RateLimit(limit = 0, window = 60)
    public void wrong() {}

    public void free() {}
  }

  @AfterEach
  void close() {
    adapter.close();
    weir.close();
  }

  private static java.lang.reflect.Method method(String name) {
    try {
      return Shop.class.getMethod(name);
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }

  private LimitedRequest begin(String handler) {
    FakeRequest info = FakeRequest.from("192.0.2.1").method("GET");
    LimitedRequest request = adapter.begin(info, null);
    request.moveTo(adapter.endpoint(Shop.class, method(handler), PAGE), info);
    return request;
  }

  private static Optional<Refusal> decide(LimitedRequest request) {
    Optional<Refusal> refusal = request.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    return refusal.isPresent() ? refusal : request.decide(DecisionPhase.AFTER_AUTHENTICATION);
  }

  private static Map<String, String> fields(LimitedRequest request) {
    Map<String, String> fields = new java.util.HashMap<>();
    request.headers().forEach(each -> fields.put(each.name(), each.value()));
    return fields;
  }

  @Test
  void twoRequestsAreAdmittedAndTheThirdIsRefused() throws Exception {
    for (int left = 1; left >= 0; left--) {
      LimitedRequest request = begin("buy");
      assertEquals(Optional.empty(), decide(request));
      assertEquals("" + left, fields(request).get("X-RateLimit-Remaining"));
      request.completed(200);
    }
    LimitedRequest third = begin("buy");
    Refusal refusal = decide(third).orElseThrow();
    assertEquals(429, refusal.status());
    java.io.ByteArrayOutputStream body = new java.io.ByteArrayOutputStream();
    refusal.writeTo(body);
    assertEquals(refusal.length(), body.size());
    assertSame(refusal.headers(), third.headers());
  }

  @Test
  void mistakesAreThrownUntilTheStartHasEnded() {
    assertThrows(InvalidPolicyException.class, () -> adapter.check(List.of(Shop.class), PAGE));
    assertThrows(
        InvalidPolicyException.class, () -> adapter.endpoint(Shop.class, method("wrong"), PAGE));
    assertTrue(adapter.endpoint(Shop.class, method("free"), PAGE).isEmpty());
    assertTrue(adapter.isAnnotated(method("buy")));
    assertFalse(adapter.isAnnotated(method("free")));
  }

  @Test
  void theNextAdapterGoesOnWithTheRequestThatTheFirstLeft() {
    LimitedRequest first = begin("buy");
    decide(first);
    FakeRequest seen = FakeRequest.from("192.0.2.1").method("GET");
    RequestHolder left = () -> first;
    try (Adapter second = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      assertSame(first, second.begin(seen, left));
      assertNotSame(first, second.begin(seen, "of somebody else"));
    }
    try (Weir other = Weir.builder().build();
        Adapter third = Weir.adapter(AdapterOptions.defaults().withWeir(other))) {
      assertNotSame(first, third.begin(seen, left));
      assertThrows(IllegalArgumentException.class, () -> first.moveTo(third.withoutClass(), seen));
    }
  }

  @Test
  void aRequestIsInFlightUntilItsFirstEnd() {
    LimitedRequest request = begin("buy");
    request.countInFlight();
    request.countInFlight();
    assertEquals(1, weir.requestsInFlight());
    request.completed(200);
    request.failed();
    request.countInFlight();
    assertEquals(0, weir.requestsInFlight());
  }

  @Test
  void partsOfTheApplicationAreCalledByTheExecutor() {
    ExecutorService workers = Executors.newSingleThreadExecutor(task -> new Thread(task, "worker"));
    try {
      LimitedRequest request = begin("buy");
      request
          .decideAsync(DecisionPhase.BEFORE_AUTHENTICATION, workers)
          .toCompletableFuture()
          .join();
      assertEquals(List.of("worker"), tierThreads.stream().distinct().toList());
      assertTrue(request.isDecided());
    } finally {
      workers.shutdownNow();
    }
    LimitedRequest late = begin("buy");
    assertEquals(
        Optional.empty(),
        late.decideAsync(
                DecisionPhase.BEFORE_AUTHENTICATION,
                task -> {
                  throw new RejectedExecutionException("full");
                })
            .toCompletableFuture()
            .join(),
        "the limiter's own trouble admits");
  }

  @Test
  void aCallWithinARequestIsDecidedForItsCallerAndReported() throws Throwable {
    LimitedCall mail = adapter.call(Shop.class, method("mail"), List.of());
    LimitedRequest request = begin("free");
    decide(request);
    assertEquals(List.of(), request.headers());
    try (LimitedRequest.Binding bound = request.bind(method("free"))) {
      assertTrue(request.isBound());
      assertEquals("sent", mail.run(new Object[0], () -> "sent"));
      assertEquals("1", fields(request).get("X-RateLimit-Remaining"));
      mail.run(new Object[0], () -> "sent");
      assertEquals("0", fields(request).get("X-RateLimit-Remaining"));
      RateLimitExceededException refused =
          assertThrows(
              RateLimitExceededException.class, () -> mail.run(new Object[0], () -> "never"));
      assertEquals(
          429, request.refusalIn(new IllegalStateException(refused)).orElseThrow().status());
    }
    assertFalse(request.isBound());
    assertEquals(Optional.empty(), request.refusalIn(new IllegalStateException()));
  }

  @Test
  void aHiddenRequestIsNotChargedForCallsOfTheThread() throws Throwable {
    LimitedCall mail = adapter.call(Shop.class, method("mail"), List.of());
    LimitedRequest request = begin("free");
    decide(request);
    try (LimitedRequest.Binding bound = request.bind(method("free"))) {
      try (LimitedRequest.Binding hidden = request.hide()) {
        assertFalse(request.isBound());
        mail.run(new Object[0], () -> "sent");
      }
      assertTrue(request.isBound());
      assertEquals(List.of(), request.headers());
      mail.run(new Object[0], () -> "sent");
      assertEquals("1", fields(request).get("X-RateLimit-Remaining"));
    }
  }

  @Test
  void anAdvisedAndWovenCallIsChargedOnce() throws Throwable {
    LimitedCall advice = adapter.call(Shop.class, method("mail"), List.of());
    LimitedCall woven = LimitedCall.of(Shop.class, method("mail"), List.of());
    LimitedRequest request = begin("free");
    try (LimitedRequest.Binding bound = request.bind(null)) {
      for (int i = 0; i < 2; i++) {
        assertEquals(
            "sent", advice.run(new Object[0], () -> woven.run(new Object[0], () -> "sent")));
      }
      assertThrows(
          RateLimitExceededException.class,
          () -> advice.run(new Object[0], () -> woven.run(new Object[0], () -> "never")));
    }
  }

  @Test
  void aFilteredAdvisedAndWovenCallIsChargedOnce() throws Throwable {
    LimitedCall advice = adapter.call(Shop.class, method("buy"), List.of());
    LimitedCall woven = LimitedCall.of(Shop.class, method("buy"), List.of());
    LimitedRequest request = begin("buy");
    assertEquals(Optional.empty(), decide(request));
    try (LimitedRequest.Binding bound = request.bind(method("buy"))) {
      advice.run(new Object[0], () -> woven.run(new Object[0], () -> "bought"));
      assertEquals("1", fields(request).get("X-RateLimit-Remaining"));
      advice.run(new Object[0], () -> woven.run(new Object[0], () -> "bought"));
      assertThrows(
          RateLimitExceededException.class, () -> advice.run(new Object[0], () -> "never"));
    }
  }

  @Test
  void aCallTakesTheWeirOfItsRequest() throws Throwable {
    try (Weir other = Weir.builder().ticker(ticker).build();
        Adapter another = Weir.adapter(AdapterOptions.defaults().withWeir(other))) {
      LimitedCall mail = another.call(Shop.class, method("mail"), List.of());
      mail.run(new Object[0], () -> "outside");
      mail.run(new Object[0], () -> "outside");
      assertThrows(
          RateLimitExceededException.class, () -> mail.run(new Object[0], () -> "outside"));
      LimitedRequest request = begin("free");
      try (LimitedRequest.Binding bound = request.bind(null)) {
        assertEquals("within", mail.run(new Object[0], () -> "within"));
      }
    }
  }

  @Test
  void anAsynchronousCallEndsOnceWithItsStage() {
    LimitedCall tries = adapter.call(Shop.class, method("tries"), List.of());
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    CompletableFuture<Object> result =
        tries.runAsync(new Object[0], () -> cancelled, Runnable::run).toCompletableFuture();
    cancelled.cancel(true);
    assertInstanceOf(
        CancellationException.class,
        assertThrows(CompletionException.class, result::join).getCause());
    for (int i = 0; i < 5; i++) {
      assertEquals(
          "fine",
          tries
              .runAsync(
                  new Object[0], () -> CompletableFuture.completedFuture("fine"), Runnable::run)
              .toCompletableFuture()
              .join(),
          "only failures count");
    }
    assertThrows(
        CompletionException.class,
        tries
                .runAsync(
                    new Object[0],
                    () -> {
                      throw new IllegalStateException("on purpose");
                    },
                    Runnable::run)
                .toCompletableFuture()
            ::join);
    assertInstanceOf(
        RateLimitExceededException.class,
        assertThrows(
                CompletionException.class,
                tries
                        .runAsync(
                            new Object[0],
                            () -> CompletableFuture.completedFuture("never"),
                            Runnable::run)
                        .toCompletableFuture()
                    ::join)
            .getCause());
  }

  @Test
  void aStartedCallFailsWithWhatWasThrownAndPassesOnItsCancellation() {
    LimitedCall tries = adapter.call(Shop.class, method("tries"), List.of());
    CompletableFuture<String> end = new CompletableFuture<>();
    assertTrue(tries.start(new Object[0], () -> end, Runnable::run).cancel(true));
    assertTrue(end.isCancelled());
    assertNull(tries.start(new Object[0], () -> null, Runnable::run).join());
    IOException thrown = new IOException("on purpose");
    assertSame(
        thrown,
        failure(
            tries.start(
                new Object[0],
                () -> {
                  throw thrown;
                },
                Runnable::run)));
    assertInstanceOf(
        RateLimitExceededException.class,
        failure(tries.start(new Object[0], () -> end, Runnable::run)));
  }

  private static Throwable failure(CompletableFuture<Object> started) {
    return started.handle((value, failure) -> failure).join();
  }

  @Test
  void aTypeOfEndpointsHasAPlainId() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new EndpointType("page", true, false, false, any -> Optional.empty()));
    assertEquals(new EndpointType("PAGE", false, false, false, any -> Optional.empty()), PAGE);
  }

  @Test
  void reportsWhetherDecisionsCallPartsOfTheApplication() {
    assertTrue(adapter.callsApplication());
    try (Weir plain = Weir.builder().build();
        Adapter alone = Weir.adapter(AdapterOptions.defaults().withWeir(plain))) {
      assertFalse(alone.callsApplication());
    }
    for (WeirBuilder with :
        List.of(
            Weir.builder().keyResolver("key", request -> Optional.empty()),
            Weir.builder().requestCondition("beta", request -> true),
            Weir.builder().refusalBody(refusal -> Optional.empty()))) {
      try (Weir calling = with.build();
          Adapter other = Weir.adapter(AdapterOptions.defaults().withWeir(calling))) {
        assertTrue(other.callsApplication());
      }
    }
  }
}
