package io.weir.internal.guard;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.extension.SafePeerAddress;
import io.weir.spi.PeerAddress;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The trouble of the limiter, or of what the application plugs in, is no trouble of a request. */
class OwnTroubleTest {
  static class Shop {
    @RateLimit(limit = 1, window = 60, name = "trouble-ip")
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "trouble-user")
    public void buy() {}
  }

  /** Keeps what is logged. */
  private static final class Kept extends Handler implements AutoCloseable {
    private final Logger logger;
    private int count;

    Kept(Class<?> of) {
      this.logger = Logger.getLogger(of.getName());
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
      count++;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  @Test
  void aRequestThatCannotBeReadIsAdmittedUndecidedAndLoggedOnce() throws Exception {
    try (WeirRuntime weir = new DefaultWeirBuilder().build();
        Kept log = new Kept(EndpointGuard.class)) {
      GuardedEndpoint guard = guard(weir);
      for (int i = 0; i < 5; i++) {
        GuardedRequest request = guard.enter(failing("peer"));
        var stage = request.decideAsync(BEFORE_AUTHENTICATION, Runnable::run).toCompletableFuture();
        assertEquals(Optional.empty(), stage.get());
        assertFalse(request.isDecided());
        request.completed(200);
      }
      assertEquals(1, log.count);
    }
  }

  @Test
  void whatIsDecidedBeforeTheTroubleStaysDecided() throws Exception {
    try (WeirRuntime weir = new DefaultWeirBuilder().build()) {
      GuardedRequest request = guard(weir).enter(failing("user"));
      assertEquals(Optional.empty(), request.decide(BEFORE_AUTHENTICATION));
      assertEquals(Optional.empty(), request.decide(AFTER_AUTHENTICATION));
      assertEquals("trouble-ip", request.decision().policy().name());
      GuardedRequest second = guard(weir).enter(failing("user"));
      assertEquals(429, second.decide(BEFORE_AUTHENTICATION).orElseThrow().status());
    }
  }

  @Test
  void aPeerAddressThatFailsKnowsNothingAndIsLoggedOnce() {
    assertKnowsNothing(
        request -> {
          throw new IllegalStateException("on purpose");
        });
    assertKnowsNothing(
        request -> {
          throw new NoClassDefFoundError("on purpose");
        });
    assertKnowsNothing(request -> broken());
  }

  private static void assertKnowsNothing(PeerAddress finder) {
    try (WeirRuntime weir = new DefaultWeirBuilder().peerAddress(finder).build();
        Kept log = new Kept(SafePeerAddress.class)) {
      PeerAddress guarded = weir.peerAddress().orElseThrow();
      assertEquals(Optional.empty(), guarded.of("request"));
      assertEquals(Optional.empty(), guarded.of("request"));
      assertEquals(1, log.count);
    }
  }

  @SuppressWarnings("NullAway") // the mistake that is tested
  private static Optional<String> broken() {
    return null;
  }

  private static GuardedEndpoint guard(WeirRuntime weir) throws NoSuchMethodException {
    return weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.SERVLET);
  }

  /** A request, one of whose questions can't be answered. */
  private static RequestInfo failing(String question) {
    RequestInfo real = FakeRequest.from("192.0.2.1").method("GET").user("alice");
    return (RequestInfo)
        Proxy.newProxyInstance(
            RequestInfo.class.getClassLoader(),
            new Class<?>[] {RequestInfo.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(question)) {
                throw new IllegalStateException("on purpose");
              }
              return answer(() -> method.invoke(real, arguments));
            });
  }

  private interface Answer {
    @Nullable Object get() throws ReflectiveOperationException;
  }

  private static @Nullable Object answer(Answer answer) throws Throwable {
    try {
      return answer.get();
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
