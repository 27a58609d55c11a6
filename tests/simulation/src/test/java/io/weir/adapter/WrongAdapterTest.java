package io.weir.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RefusalText;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what adapters do wrong: neither a request nor another caller's limit suffers from it. */
class WrongAdapterTest {
  private final Weir weir =
      Weir.builder()
          .refusalBody(any -> Optional.of(new RefusalText("text/plain", "refused")))
          .build();
  private final Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));

  static class Shop {
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "address")
    public void address() {}

    @RateLimit(limit = 2, window = 60, by = By.IP, name = "each-address")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "each-user")
    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = {"header:a", "query:b", "path:c", "cookie:d"},
        name = "each-key")
    public void all() {}

    @RateLimit(limit = 1, window = 60, by = By.IP, name = "success", count = Count.SUCCESSES)
    public void success() {}
  }

  @AfterEach
  void close() {
    adapter.close();
    adapter.close();
    weir.close();
  }

  private LimitedRequest begin(String handler, RequestInfo info) {
    try {
      LimitedRequest request = adapter.begin(info, null);
      Method method = Shop.class.getMethod(handler);
      request.moveTo(adapter.endpoint(Shop.class, method, EndpointType.JAXRS), info);
      return request;
    } catch (NoSuchMethodException missing) {
      throw new AssertionError(missing);
    }
  }

  private static Optional<Refusal> decide(LimitedRequest request) {
    Optional<Refusal> refusal = request.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    return refusal.isPresent() ? refusal : request.decide(DecisionPhase.AFTER_AUTHENTICATION);
  }

  private static Optional<Refusal> decideAsync(LimitedRequest request) {
    for (DecisionPhase phase : DecisionPhase.values()) {
      CompletionStage<Optional<Refusal>> decided = request.decideAsync(phase, Runnable::run);
      Optional<Refusal> refusal = decided.toCompletableFuture().join();
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** Reads a request, except by one method. */
  private static RequestInfo broken(RequestInfo whole, String broken, boolean byNull) {
    return (RequestInfo)
        Proxy.newProxyInstance(
            RequestInfo.class.getClassLoader(),
            new Class<?>[] {RequestInfo.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals(broken)) {
                return call(method, whole, arguments);
              }
              if (byNull) {
                return null;
              }
              throw new IllegalStateException(broken + " can't be read");
            });
  }

  private static @Nullable Object call(
      Method method, RequestInfo whole, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(whole, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  static Stream<String> methods() {
    return Stream.of(RequestInfo.class.getMethods()).map(Method::getName).distinct().sorted();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aRequestThatCannotBeReadIsNoTroubleForItsCallerOrOthers(String method) {
    for (boolean byNull : List.of(true, false)) {
      UnaryOperator<RequestInfo> breaks = info -> broken(info, method, byNull);
      for (int i = 0; i < 5; i++) {
        RequestInfo info = breaks.apply(FakeRequest.from("192.0.2.1").user("eve").header("a", "1"));
        LimitedRequest request = begin("all", info);
        var unusedRefusal = i % 2 == 0 ? decide(request) : decideAsync(request);
        assertTrue(request.headers().size() < 10);
        request.countInFlight();
        request.completed(200);
        request.failed();
      }
    }
    assertEquals(0, weir.requestsInFlight());
    RequestInfo other = FakeRequest.from("198.51.100.1").user("alice").header("a", "2");
    List<Boolean> refused =
        Stream.generate(() -> decide(begin("all", other)).isPresent()).limit(3).toList();
    assertEquals(List.of(false, false, true), refused);
  }

  /** The limit of the caller would be none: its charges are refunded by then. */
  @Test
  void aRefusalHoldsThoughTheCallersLanguagesCannotBeRead() {
    for (boolean byNull : List.of(true, false)) {
      RequestInfo info =
          broken(FakeRequest.from(byNull ? "192.0.2.1" : "192.0.2.2"), "headers", byNull);
      assertEquals(Optional.empty(), decide(begin("address", info)));
      assertEquals(429, decide(begin("address", info)).orElseThrow().status());
      assertEquals(429, decideAsync(begin("address", info)).orElseThrow().status());
    }
  }

  @Test
  void aDecisionThatComesAfterTheEndIsSettledByTheEnd() {
    RequestInfo info = FakeRequest.from("192.0.2.1");
    CompletableFuture<Runnable> late = new CompletableFuture<>();
    LimitedRequest request = begin("success", info);
    CompletionStage<Optional<Refusal>> decided =
        request.decideAsync(DecisionPhase.BEFORE_AUTHENTICATION, late::complete);
    request.failed(); // the caller has hung up
    request.completed(200);
    late.join().run();
    assertEquals(Optional.empty(), decided.toCompletableFuture().join());
    assertEquals(Optional.empty(), decide(begin("success", info)), "a failure counts nothing");
    assertTrue(decide(begin("success", info)).isPresent());
  }
}
