package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.http.filter.ServerFilterPhase;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.OnOpen;
import io.micronaut.websocket.annotation.ServerWebSocket;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A controller as an application has it. Each endpoint has a policy of its own. */
@Requires(property = "test.shop")
@Controller("/shop")
class Shop {
  static final BlockingQueue<String> PENDING = new LinkedBlockingQueue<>();

  /** What happened to streams that stay silent. */
  static final BlockingQueue<String> SILENT = new LinkedBlockingQueue<>();

  private static final Duration LATER = Duration.ofMillis(1);

  private final Stock stock;

  Shop(Stock stock) {
    this.stock = stock;
  }

  /** An exception that the application maps to 422. */
  static class OutOfStockException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Error
  HttpResponse<String> outOfStock(OutOfStockException thrown) {
    return HttpResponse.unprocessableEntity().body("out of stock");
  }

  @Get("/plain")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "plain")
  String plain() {
    return "plain";
  }

  @Get("/items/{id:[0-9]+}")
  @RateLimit(limit = 2, window = 60, by = By.KEY, key = "path:id", name = "item")
  String item(int id) {
    return "item " + id;
  }

  @Get("/later")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "later")
  Mono<String> later(@QueryValue(defaultValue = "false") boolean fail) {
    return Mono.delay(LATER)
        .flatMap(zero -> fail ? Mono.error(new OutOfStockException()) : Mono.just("fine"));
  }

  @Get("/stage")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "stage")
  CompletionStage<String> stage(@QueryValue(defaultValue = "false") boolean fail) {
    return CompletableFuture.supplyAsync(
        () -> {
          if (fail) {
            throw new OutOfStockException();
          }
          return "fine";
        });
  }

  /** Fails after its first part, or never begins, or never ends. */
  @Get(value = "/stream", produces = MediaType.TEXT_EVENT_STREAM)
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.SUCCESSES, name = "stream")
  Flux<String> stream(@QueryValue String end) {
    return switch (end) {
      case "well" -> Flux.just("a", "b");
      case "fails" -> Flux.concat(Flux.just("a"), Mono.error(new IllegalStateException("broken")));
      case "silent" ->
          Flux.<String>never()
              .doOnSubscribe(any -> SILENT.add("subscribed"))
              .doOnCancel(() -> SILENT.add("cancelled"));
      default -> Flux.concat(Flux.just("a"), Flux.never());
    };
  }

  /** Returns what can't be written as JSON. */
  @Get("/unwritable")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "unwritable")
  Map<String, Object> unwritable(@QueryValue boolean fail) {
    return Map.of("value", fail ? Thread.currentThread() : "fine");
  }

  /** Answers in another type than that of the route, so by a writer that the route doesn't know. */
  @Get(value = "/other-type", produces = MediaType.APPLICATION_JSON)
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.FAILURES, name = "other-type")
  HttpResponse<Integer> otherType() {
    return HttpResponse.ok(1).contentType(MediaType.TEXT_PLAIN_TYPE);
  }

  /** Answers only where a test asks it to. */
  @Get("/pending")
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.SUCCESSES, name = "pending")
  Mono<String> pending(
      @Header("X-Forwarded-For") String caller,
      @QueryValue(defaultValue = "false") boolean answer) {
    if (answer) {
      return Mono.just("answer");
    }
    PENDING.add(caller);
    return Mono.never();
  }

  @Get("/blocking")
  @ExecuteOn(TaskExecutors.BLOCKING)
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "blocking")
  String blocking() {
    return "blocking";
  }

  @Get("/stock/{kind}")
  @ExecuteOn(TaskExecutors.BLOCKING)
  String stock(String kind) {
    return stock.take(kind);
  }

  @Get("/stock-later/{kind}")
  Mono<String> stockLater(String kind) {
    return Mono.delay(LATER).flatMap(zero -> stock.takeLater(kind));
  }

  @Get("/stock-many/{kind}")
  Flux<String> stockMany(String kind) {
    return stock.takeMany(kind);
  }

  @Post("/order")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/user", name = "order")
  Map<String, Object> order(@Body Map<String, Object> order) {
    return order;
  }

  @Post(value = "/form", consumes = MediaType.APPLICATION_FORM_URLENCODED)
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:user", name = "form")
  String form(String user, @Nullable String note) {
    return user + " " + note;
  }

  @Get("/self/{kind}")
  @ExecuteOn(TaskExecutors.BLOCKING)
  String self(String kind) {
    return stock.takeBySelfCall(kind);
  }

  /** Calls itself once more, in another thread. */
  @Get("/again")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "again")
  Mono<String> again(@QueryValue(defaultValue = "true") boolean more) {
    return more ? Mono.delay(LATER).flatMap(zero -> again(false)) : Mono.just("again");
  }

  /** Answers with its own status. */
  @Get("/status/{code}")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "status")
  HttpResponse<String> status(int code) {
    return HttpResponse.<String>status(HttpStatus.valueOf(code)).body("status");
  }

  /** Counts those that connect, not what they say. */
  @Requires(property = "test.shop")
  @ServerWebSocket("/shop/talk")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "talk")
  static class Talk {
    @OnOpen
    public void open(WebSocketSession session) {}

    @OnMessage
    public String say(String words, WebSocketSession session) {
      session.sendSync(words);
      return words;
    }
  }

  @Get("/replaced")
  @RateLimit(limit = 2, window = 60, by = By.USER, name = "replaced")
  String replaced() {
    return "replaced";
  }

  @Get("/replaced-early")
  @RateLimit(limit = 2, window = 60, name = "replaced-early")
  String replacedEarly() {
    return "replaced";
  }

  @Get("/signed-in")
  @RateLimit(limit = 2, window = 60, by = By.USER, name = "signed-in")
  String signedIn() {
    return "signed in";
  }

  /** Signs users in where it is told to. */
  @Requires(property = "test.shop")
  @ServerFilter("/shop/signed-in")
  static class SigningIn {
    @RequestFilter
    @Order(39_000)
    void signIn(HttpRequest<?> request) {
      @Nullable String user = request.getHeaders().get("X-User");
      if (user != null) {
        request.setAttribute("micronaut.AUTHENTICATION", (Principal) () -> user);
      }
    }
  }

  /** Does so before Weir's filters. */
  @Requires(property = "test.shop")
  @Filter("/shop/replaced-early")
  static class ReplacingEarly implements HttpServerFilter {
    @Override
    public int getOrder() {
      return RateLimitFilter.BEFORE_SIGN_IN - 1;
    }

    @Override
    public Publisher<MutableHttpResponse<?>> doFilter(
        HttpRequest<?> request, ServerFilterChain chain) {
      return chain.proceed(HttpRequest.GET("/shop/replaced-early"));
    }
  }

  /** Goes on with a request that has nothing of the one that arrived. */
  @Requires(property = "test.shop")
  @Filter("/shop/replaced")
  static class Replacing implements HttpServerFilter {
    @Override
    public int getOrder() {
      return ServerFilterPhase.RENDERING.order();
    }

    @Override
    public Publisher<MutableHttpResponse<?>> doFilter(
        HttpRequest<?> request, ServerFilterChain chain) {
      return chain.proceed(HttpRequest.GET("/shop/replaced"));
    }
  }
}
