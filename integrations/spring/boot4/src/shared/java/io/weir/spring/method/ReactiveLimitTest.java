package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.RateLimitExceededException;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import io.weir.spring.RequestContext;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Methods whose results end later than they return. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class ReactiveLimitTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static class Search {
    final AtomicInteger runs = new AtomicInteger();
    final Sinks.Many<String> hits = Sinks.many().multicast().directBestEffort();

    /** Read through the proxy, which has no fields of its own. */
    AtomicInteger runs() {
      return runs;
    }

    Sinks.Many<String> hits() {
      return hits;
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public Mono<String> one() {
      runs.incrementAndGet();
      return Mono.just("hit");
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public Flux<String> many() {
      return Flux.just("a", "b");
    }

    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public Publisher<String> any() {
      return Flux.just("a", "b");
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.FAILURES)
    public Mono<String> guess(boolean right) {
      return right ? Mono.just("right") : Mono.error(new IllegalArgumentException("wrong"));
    }

    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "param:account",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        name = "sign-in")
    public Mono<String> signIn(String account, boolean right) {
      return right ? Mono.just("right") : Mono.error(new IllegalArgumentException("wrong"));
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.SUCCESSES)
    public Flux<String> live() {
      return hits.asFlux();
    }

    @RateLimit(limit = 1, window = 3600, by = By.IP)
    public Mono<String> ofCaller() {
      return Mono.just("hit");
    }

    @RateLimit(
        limit = 1,
        window = 3600,
        by = By.ENDPOINT,
        tiers = @Tier(name = "gold", limit = 2),
        name = "tiered")
    public CompletableFuture<String> tiered() {
      return CompletableFuture.completedFuture("hit");
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

  private static void run(ContextConsumer<AssertableApplicationContext> test) {
    Contexts.with(Search.class).run(test);
  }

  @Test
  void eachSubscriptionIsACallAndARefusedOneRunsNothing() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          Mono<String> first = search.one();
          for (int at = 0; at < 5; at++) {
            search.one(); // never subscribed to
          }
          AtomicInteger runs = search.runs();
          assertEquals(0, runs.get());
          assertEquals("hit", first.block(PATIENCE));
          assertEquals("hit", first.block(PATIENCE));
          assertThrows(RateLimitExceededException.class, () -> first.block(PATIENCE));
          assertThrows(RateLimitExceededException.class, () -> search.one().block(PATIENCE));
          assertEquals(2, runs.get());
        });
  }

  @Test
  void allPublishersAreLimited() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          assertEquals(List.of("a", "b"), search.many().collectList().block(PATIENCE));
          assertEquals("a", search.many().blockFirst(PATIENCE));
          assertThrows(RateLimitExceededException.class, () -> search.many().blockLast(PATIENCE));

          assertEquals("a", Mono.from(search.any()).block(PATIENCE));
          assertEquals(2, Flux.from(search.any()).count().block(PATIENCE));
          assertThrows(
              RateLimitExceededException.class, () -> Mono.from(search.any()).block(PATIENCE));
        });
  }

  @Test
  void theEndOfAPublisherIsTheOutcome() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          for (int at = 0; at < 5; at++) {
            assertEquals("right", search.guess(true).block(PATIENCE));
          }
          assertThrows(IllegalArgumentException.class, () -> search.guess(false).block(PATIENCE));
          assertThrows(RateLimitExceededException.class, () -> search.guess(true).block(PATIENCE));
        });
  }

  @Test
  void aSuccessClearsTheFailuresBeforeIt() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          for (boolean right : new boolean[] {false, true, false, false}) {
            Mono<String> signIn = search.signIn("alice", right);
            if (right) {
              assertEquals("right", signIn.block(PATIENCE));
            } else {
              assertThrows(IllegalArgumentException.class, () -> signIn.block(PATIENCE));
            }
          }
          assertThrows(
              RateLimitExceededException.class, () -> search.signIn("alice", true).block(PATIENCE));
        });
  }

  @Test
  void aSubscriberThatLeavesBeforeAValueHasFailedAndAfterOneSucceeded() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          Disposable gone = search.live().subscribe();
          assertThrows(
              RateLimitExceededException.class,
              () -> search.live().blockFirst(PATIENCE),
              "the permit is taken while it runs");
          gone.dispose();
          gone.dispose();

          CompletableFuture<String> first = search.live().next().toFuture();
          search.hits().tryEmitNext("hit").orThrow();
          assertEquals("hit", first.get(60, TimeUnit.SECONDS));
          assertThrows(RateLimitExceededException.class, () -> search.live().blockFirst(PATIENCE));
        });
  }

  @Test
  void theCallerIsThatOfTheSubscribersContext() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          Adapter adapter = context.getBean(Adapter.class);
          for (String address : List.of("192.0.2.1", "192.0.2.2")) {
            LimitedRequest request = adapter.begin(FakeRequest.from(address).method("GET"), null);
            Mono<String> hit =
                search
                    .ofCaller()
                    .contextWrite(each -> each.put(RequestContext.KEY, new RequestContext(request)))
                    .subscribeOn(Schedulers.parallel());
            assertEquals("hit", hit.block(PATIENCE), address);
            assertThrows(RateLimitExceededException.class, () -> hit.block(PATIENCE), address);
            assertFalse(request.headers().isEmpty(), "the response reports the call");
          }
        });
  }

  @Test
  void elseTheCallerIsThatOfTheThreadThatHasCalledTheMethod() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          Adapter adapter = context.getBean(Adapter.class);
          for (String address : List.of("192.0.2.1", "192.0.2.2")) {
            LimitedRequest request = adapter.begin(FakeRequest.from(address).method("GET"), null);
            Mono<String> hit;
            try (LimitedRequest.Binding unused = request.bind(null)) {
              hit = search.ofCaller().subscribeOn(Schedulers.parallel());
            }
            assertEquals("hit", hit.block(PATIENCE), address);
            assertThrows(RateLimitExceededException.class, () -> hit.block(PATIENCE), address);
          }
        });
  }

  @Test
  void aHandlerThatWasDecidedIsFreeOnceHoweverOftenItsRequestIsBound() {
    run(
        context -> {
          Adapter adapter = context.getBean(Adapter.class);
          RequestContext decided =
              new RequestContext(adapter.begin(FakeRequest.from("192.0.2.3").method("GET"), null));
          decided.decided(Search.class.getMethod("ofCaller"));
          Mono<String> hit =
              context
                  .getBean(Search.class)
                  .ofCaller()
                  .contextWrite(each -> each.put(RequestContext.KEY, decided));
          assertEquals("hit", hit.block(PATIENCE), "free");
          assertEquals("hit", hit.block(PATIENCE), "charged");
          assertThrows(RateLimitExceededException.class, () -> hit.block(PATIENCE));
        });
  }

  @Test
  void aHandlerThatAWebAdapterHasChargedRunsAtOnce() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          Adapter adapter = context.getBean(Adapter.class);
          LimitedRequest request = adapter.begin(FakeRequest.from("192.0.2.1"), null);
          var method = Search.class.getMethod("one");
          request.moveTo(
              adapter.endpoint(Search.class, method, EndpointType.METHOD),
              FakeRequest.from("192.0.2.1"));
          Mono<String> hit;
          try (LimitedRequest.Binding unused = request.bind(method)) {
            hit = search.one();
          }
          for (int at = 0; at < 5; at++) {
            assertEquals("hit", hit.block(PATIENCE));
          }
          assertEquals("hit", search.one().block(PATIENCE));
          assertEquals("hit", search.one().block(PATIENCE));
          assertThrows(RateLimitExceededException.class, () -> search.one().block(PATIENCE));
        });
  }

  @Test
  void aStageIsRefusedByAnExceptionOrInAnEventLoopByTheStage() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          search.stage();
          CompletableFuture<String> inLoop =
              Mono.fromCallable(search::stage).subscribeOn(Schedulers.parallel()).block(PATIENCE);
          assertFalse(inLoop.isDone());
          assertThrows(RateLimitExceededException.class, search::stage);
          CompletableFuture<String> refused =
              Mono.fromCallable(search::stage).subscribeOn(Schedulers.parallel()).block(PATIENCE);
          ExecutionException failure =
              assertThrows(ExecutionException.class, () -> refused.get(60, TimeUnit.SECONDS));
          assertInstanceOf(RateLimitExceededException.class, failure.getCause());
        });
  }

  @Test
  void aCancelledStageHasFailed() {
    run(
        context -> {
          Search search = context.getBean(Search.class);
          for (int at = 0; at < 3; at++) {
            search.cancelled().toCompletableFuture().cancel(true);
            CompletionStage<String> inLoop =
                Mono.fromCallable(search::cancelled)
                    .subscribeOn(Schedulers.parallel())
                    .block(PATIENCE);
            inLoop.toCompletableFuture().cancel(true);
          }
        });
  }

  /** Resolvers of the application may block. */
  @Test
  void asksForTheTierOfAStageInAnotherThreadThanAnEventLoop() {
    Set<Boolean> inLoop = ConcurrentHashMap.newKeySet();
    TierResolver tiers =
        (request, policy) -> {
          inLoop.add(Schedulers.isInNonBlockingThread());
          return CallerTier.named("gold");
        };
    Contexts.with(Search.class)
        .withBean(TierResolver.class, () -> tiers)
        .run(
            context -> {
              Search search = context.getBean(Search.class);
              Mono<String> call =
                  Mono.fromCallable(search::tiered)
                      .subscribeOn(Schedulers.parallel())
                      .flatMap(Mono::fromFuture);
              assertEquals("hit", call.block(PATIENCE));
              assertEquals("hit", call.block(PATIENCE));
              assertThrows(RateLimitExceededException.class, () -> call.block(PATIENCE));
              assertEquals(Set.of(false), inLoop);
            });
  }
}
