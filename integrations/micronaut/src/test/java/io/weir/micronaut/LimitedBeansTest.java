package io.weir.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.weir.RateLimitExceededException;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeTicker;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Methods of beans, without a server. */
class LimitedBeansTest {
  private static ApplicationContext context;

  @BeforeAll
  static void start() {
    context =
        ApplicationContext.run(Map.of("test.beans", "true", "weir.policy.set-here.limit", "3"));
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @Target({ElementType.METHOD, ElementType.TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 1, window = 60, name = "rarely")
  @interface Rarely {}

  interface Letters {
    @RateLimit(limit = 1, window = 60, name = "of-interface")
    String send();
  }

  /** Each method has a limit of another kind. */
  @Requires(property = "test.beans")
  @Singleton
  static class Post {
    int runs;

    @RateLimit(limit = 1, window = 60, name = "plain-call")
    String plain() {
      return "plain";
    }

    @RateLimit(limit = 2, window = 60, name = "twice")
    @RateLimit(limit = 1, window = 1, name = "per-second")
    String twice() {
      return "twice";
    }

    @Rarely
    String composed() {
      return "composed";
    }

    @RateLimit(limit = 1, window = 60, name = "set-here")
    String set() {
      return "set";
    }

    @RateLimit(limit = 1, window = 60, count = Count.FAILURES, name = "stages")
    CompletionStage<String> stage(CompletionStage<String> end) {
      return end;
    }

    @RateLimit(limit = 1, window = 60, count = Count.FAILURES, name = "left")
    CompletionStage<String> left(CompletionStage<String> end) {
      return end;
    }

    @RateLimit(limit = 1, window = 60, count = Count.FAILURES, name = "monos")
    Mono<String> mono(Mono<String> end) {
      runs++;
      return end;
    }

    @RateLimit(limit = 1, window = 60, count = Count.FAILURES, name = "fluxes")
    Flux<String> flux(Flux<String> end) {
      return end;
    }

    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "Kind", name = "kinds")
    String kind(String kind) {
      return kind;
    }
  }

  @Requires(property = "test.beans")
  @Singleton
  @RateLimit(limit = 2, window = 60, name = "whole-class")
  static class Office {
    public String open() {
      return "open";
    }

    public String close() {
      return "close";
    }

    @Unlimited
    public String free() {
      return "free";
    }
  }

  @Requires(property = "test.beans")
  @Singleton
  static class LettersByHand implements Letters {
    @Override
    public String send() {
      return "sent";
    }
  }

  @Requires(property = "test.beans")
  @Singleton
  @Named("Kind")
  static class Kinds implements KeyResolver {
    @Override
    public Optional<String> resolve(RequestInfo request) {
      return request.parameter("kind");
    }
  }

  @Requires(property = "test.beans")
  @Factory
  static class Parts {
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  private static void refused(Runnable call) {
    assertThrows(RateLimitExceededException.class, call::run);
  }

  private Post post() {
    return context.getBean(Post.class);
  }

  @Test
  void limitsMethodsOfBeans() {
    assertEquals("plain", post().plain());
    refused(() -> post().plain());
    context.getBean(FakeTicker.class).advance(Duration.ofSeconds(61));
    assertEquals("plain", post().plain());
  }

  @Test
  void limitsByComposedAndRepeatedAnnotationsAndThoseOfInterfaces() {
    post().composed();
    refused(() -> post().composed());
    post().twice();
    refused(() -> post().twice());
    Letters letters = context.getBean(Letters.class);
    letters.send();
    refused(letters::send);
  }

  @Test
  void limitsAClassButNotWhatIsUnlimited() {
    Office office = context.getBean(Office.class);
    office.open();
    office.close();
    refused(office::open);
    assertEquals("free", office.free());
  }

  @Test
  void takesSettingsFromTheEnvironment() {
    for (int i = 0; i < 3; i++) {
      post().set();
    }
    refused(() -> post().set());
  }

  @Test
  void asksBeansForKeys() {
    post().kind("one");
    post().kind("other");
    refused(() -> post().kind("one"));
  }

  @Test
  void judgesStagesAtTheirEnd() {
    for (int i = 0; i < 2; i++) {
      post().stage(CompletableFuture.completedFuture("fine"));
    }
    CompletableFuture<String> pending = new CompletableFuture<>();
    CompletionStage<String> called = post().stage(pending);
    pending.completeExceptionally(new IllegalStateException("on purpose"));
    assertThrows(CompletionException.class, () -> called.toCompletableFuture().join());
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () ->
                post()
                    .stage(CompletableFuture.completedFuture("fine"))
                    .toCompletableFuture()
                    .join());
    assertTrue(refused.getCause() instanceof RateLimitExceededException, refused::toString);
  }

  @Test
  void aStageFailsWithTheRefusalItselfAndPassesOnItsCancellation() {
    CompletableFuture<String> end = new CompletableFuture<>();
    post().left(end).toCompletableFuture().cancel(true);
    assertThrows(CancellationException.class, () -> end.get(1, TimeUnit.MINUTES));
    assertInstanceOf(
        RateLimitExceededException.class,
        post().left(end).handle((value, failure) -> failure).toCompletableFuture().join());
  }

  /** In an event loop the call is decided by another thread. */
  @Test
  void aSubscriberGetsWhatIsThrownWhileItsCallIsDecided() {
    Adapter adapter = context.getBean(Adapter.class);
    assertTrue(adapter.callsApplication());
    LimitedPublisher publisher =
        new LimitedPublisher(adapter, new Undecidable(), new Object[0], Mono::empty);
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            Flux.from(publisher.publisher())
                .subscribeOn(Schedulers.parallel())
                .blockLast(Duration.ofMinutes(1)));
  }

  private static final class Undecidable implements LimitedCall {
    @Override
    public @Nullable Object run(@Nullable Object[] arguments, Body body) {
      throw new UnsupportedOperationException("on purpose");
    }

    @Override
    public CompletionStage<@Nullable Object> runAsync(
        @Nullable Object[] arguments,
        Supplier<? extends CompletionStage<?>> body,
        Executor executor) {
      throw new UnsupportedOperationException("on purpose");
    }

    @Override
    public boolean takeCharge() {
      return false;
    }
  }

  @Test
  void judgesEachSubscriptionAtItsEnd() {
    Mono<String> fine = post().mono(Mono.just("fine"));
    assertEquals(0, post().runs);
    assertEquals("fine", fine.block());
    assertEquals("fine", fine.block());
    assertEquals(2, post().runs);
    assertThrows(
        IllegalStateException.class,
        () -> post().mono(Mono.error(new IllegalStateException("on purpose"))).block());
    refused(fine::block);
  }

  @Test
  void aStreamThatIsCancelledAfterAValueHasSucceeded() {
    post().flux(Flux.just("a", "b")).take(1).blockLast();
    post().flux(Flux.just("a", "b")).take(1).blockLast();
    assertThrows(
        IllegalStateException.class,
        () ->
            post()
                .flux(Flux.concat(Flux.just("a"), Flux.error(new IllegalStateException("broken"))))
                .blockLast());
    refused(() -> post().flux(Flux.just("a")).blockLast());
  }
}
