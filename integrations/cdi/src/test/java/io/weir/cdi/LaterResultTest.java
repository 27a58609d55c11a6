package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.operators.multi.processors.BroadcastProcessor;
import io.smallrye.mutiny.subscription.Cancellable;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import io.weir.testkit.FakeRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Methods whose results end later than they return. */
class LaterResultTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @ApplicationScoped
  static class Search {
    private final AtomicInteger runs = new AtomicInteger();
    private final BroadcastProcessor<String> hits = BroadcastProcessor.create();

    /** Read through the proxy, which has no fields of its own. */
    int runs() {
      return runs.get();
    }

    void hit(String one) {
      hits.onNext(one);
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public Uni<String> one() {
      runs.incrementAndGet();
      return Uni.createFrom().item("hit");
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public Multi<String> many() {
      return Multi.createFrom().items("a", "b");
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.FAILURES)
    public Uni<String> guess(boolean right) {
      return answer(right);
    }

    private static Uni<String> answer(boolean right) {
      return right
          ? Uni.createFrom().item("right")
          : Uni.createFrom().failure(new IllegalArgumentException("wrong"));
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.FAILURES)
    public CompletionStage<String> staged(boolean right) {
      return right
          ? CompletableFuture.completedFuture("right")
          : CompletableFuture.failedFuture(new IllegalArgumentException("wrong"));
    }

    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "param:account",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        name = "sign-in")
    public Uni<String> signIn(String account, boolean right) {
      return answer(right);
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.SUCCESSES)
    public Multi<String> live() {
      return hits;
    }

    @RateLimit(
        limit = 1,
        window = 3600,
        by = By.ENDPOINT,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered-uni")
    public Uni<String> tieredUni() {
      return Uni.createFrom().item("hit");
    }

    @RateLimit(
        limit = 1,
        window = 3600,
        by = By.ENDPOINT,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered-stage")
    public CompletionStage<String> tieredStage() {
      return CompletableFuture.completedFuture("hit");
    }

    @RateLimit(limit = 1, window = 3600, by = By.IP)
    public Uni<String> ofCaller() {
      return Uni.createFrom().item("hit");
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public CompletableFuture<String> stage() {
      return new CompletableFuture<>();
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.SUCCESSES)
    public CompletionStage<String> cancelled() {
      return new CompletableFuture<>();
    }
  }

  private Beans beans;
  private Adapter adapter;
  private Search search;

  @BeforeEach
  void start() {
    beans = Beans.of(Search.class);
    adapter = Weir.adapter(AdapterOptions.defaults());
    search = beans.get(Search.class);
  }

  @AfterEach
  void stop() {
    Infrastructure.resetCanCallerThreadBeBlockedSupplier();
    if (adapter != null) {
      adapter.close();
      beans.close();
    }
  }

  private static <T> T value(Uni<T> from) {
    return from.await().atMost(PATIENCE);
  }

  private static <T> List<T> values(Multi<T> from) {
    return value(from.collect().asList());
  }

  /** Runs as in an event loop. */
  private static <T> T withoutBlocking(Supplier<T> call) {
    Infrastructure.setCanCallerThreadBeBlockedSupplier(() -> false);
    try {
      return call.get();
    } finally {
      Infrastructure.resetCanCallerThreadBeBlockedSupplier();
    }
  }

  @Test
  void eachSubscriptionIsACallAndARefusedOneRunsNothing() {
    Uni<String> first = search.one();
    for (int at = 0; at < 5; at++) {
      search.one(); // never subscribed to
    }
    assertEquals(0, search.runs());
    assertEquals("hit", value(first));
    assertEquals("hit", value(first));
    assertThrows(RateLimitExceededException.class, () -> value(first));
    assertThrows(RateLimitExceededException.class, () -> value(search.one()));
    assertEquals(2, search.runs());
  }

  @Test
  void aMultiIsLimited() {
    assertEquals(List.of("a", "b"), values(search.many()));
    assertEquals("a", value(search.many().toUni()));
    assertThrows(RateLimitExceededException.class, () -> values(search.many()));
  }

  @Test
  void theEndOfAUniIsTheOutcome() {
    for (int at = 0; at < 5; at++) {
      assertEquals("right", value(search.guess(true)));
    }
    assertThrows(IllegalArgumentException.class, () -> value(search.guess(false)));
    assertThrows(RateLimitExceededException.class, () -> value(search.guess(true)));
  }

  @Test
  void aSuccessClearsTheFailuresBeforeIt() {
    for (boolean right : new boolean[] {false, true, false, false}) {
      Uni<String> signIn = search.signIn("alice", right);
      if (right) {
        assertEquals("right", value(signIn));
      } else {
        assertThrows(IllegalArgumentException.class, () -> value(signIn));
      }
    }
    assertThrows(RateLimitExceededException.class, () -> value(search.signIn("alice", true)));
  }

  /** Resolvers of the application may block. */
  @Test
  void asksForTheTierInAnotherThreadThanAnEventLoop() {
    stop();
    Set<Thread> asked = ConcurrentHashMap.newKeySet();
    TierResolver tiers =
        (request, policy) -> {
          asked.add(Thread.currentThread());
          return CallerTier.named("gold");
        };
    try (Weir weir = Weir.builder().tierResolver(tiers).build().install()) {
      start();
      List<Supplier<Uni<String>>> calls =
          List.of(search::tieredUni, () -> Uni.createFrom().completionStage(search.tieredStage()));
      for (Supplier<Uni<String>> call : calls) {
        for (int each = 0; each < 2; each++) {
          assertEquals("hit", inEventLoop(call));
        }
        assertThrows(RateLimitExceededException.class, () -> inEventLoop(call));
      }
      assertFalse(asked.isEmpty());
      assertFalse(asked.contains(Thread.currentThread()));
    }
  }

  private static <T> T inEventLoop(Supplier<Uni<T>> call) {
    return value(
        Uni.createFrom()
            .completionStage(withoutBlocking(() -> call.get().subscribeAsCompletionStage())));
  }

  @Test
  void theEndOfAStageIsTheOutcome() throws Exception {
    for (int at = 0; at < 5; at++) {
      assertEquals("right", search.staged(true).toCompletableFuture().get());
    }
    search.staged(false);
    assertThrows(RateLimitExceededException.class, () -> search.staged(true));
  }

  @Test
  void aSubscriberThatLeavesBeforeAValueHasFailedAndAfterOneSucceeded() throws Exception {
    Cancellable gone = search.live().subscribe().with(hit -> {});
    assertThrows(
        RateLimitExceededException.class,
        () -> value(search.live().toUni()),
        "the permit is taken while it runs");
    gone.cancel();
    gone.cancel();

    CompletableFuture<String> first = search.live().toUni().subscribeAsCompletionStage();
    search.hit("hit");
    assertEquals("hit", first.get(60, TimeUnit.SECONDS));
    assertThrows(RateLimitExceededException.class, () -> value(search.live().toUni()));
  }

  @Test
  void theCallerIsThatOfTheThreadThatSubscribes() {
    Uni<String> hit = search.ofCaller();
    for (String address : List.of("192.0.2.1", "192.0.2.2")) {
      LimitedRequest request = adapter.begin(FakeRequest.from(address).method("GET"), null);
      try (LimitedRequest.Binding unused = request.bind(null)) {
        assertEquals("hit", value(hit), address);
        assertThrows(RateLimitExceededException.class, () -> value(hit), address);
      }
      assertFalse(request.headers().isEmpty(), "the response reports the call");
    }
  }

  @Test
  void elseTheCallerIsThatOfTheThreadThatHasCalledTheMethod() {
    for (String address : List.of("192.0.2.1", "192.0.2.2")) {
      LimitedRequest request = adapter.begin(FakeRequest.from(address).method("GET"), null);
      Uni<String> hit;
      try (LimitedRequest.Binding unused = request.bind(null)) {
        hit = search.ofCaller().runSubscriptionOn(Infrastructure.getDefaultExecutor());
      }
      assertEquals("hit", value(hit), address);
      assertThrows(RateLimitExceededException.class, () -> value(hit), address);
    }
  }

  @Test
  void aHandlerThatAWebAdapterHasChargedRunsAtOnce() throws Exception {
    LimitedRequest request = adapter.begin(FakeRequest.from("192.0.2.1"), null);
    var method = Search.class.getMethod("one");
    request.moveTo(
        adapter.endpoint(Search.class, method, EndpointType.METHOD), FakeRequest.from("192.0.2.1"));
    Uni<String> hit;
    try (LimitedRequest.Binding unused = request.bind(method)) {
      hit = search.one();
    }
    for (int at = 0; at < 5; at++) {
      assertEquals("hit", value(hit));
    }
    assertEquals("hit", value(search.one()));
    assertEquals("hit", value(search.one()));
    assertThrows(RateLimitExceededException.class, () -> value(search.one()));
  }

  @Test
  void aStageIsRefusedByAnExceptionOrInAnEventLoopByTheStage() {
    search.stage();
    CompletableFuture<String> inLoop = withoutBlocking(search::stage);
    assertFalse(inLoop.isDone());
    assertThrows(RateLimitExceededException.class, search::stage);
    CompletableFuture<String> refused = withoutBlocking(search::stage);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> refused.get(60, TimeUnit.SECONDS));
    assertInstanceOf(RateLimitExceededException.class, failure.getCause());
  }

  @Test
  void aCancelledStageHasFailed() {
    for (int at = 0; at < 3; at++) {
      search.cancelled().toCompletableFuture().cancel(true);
      withoutBlocking(search::cancelled).toCompletableFuture().cancel(true);
    }
  }
}
