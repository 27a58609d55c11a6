package io.weir.compat.jaxrs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.jaxrs.server.Setup;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the life of the application's Weir if no servlet container reports the end. */
public interface LifeTests extends Serving {
  /** The number of attempts to find collected objects. */
  int MAX_COLLECTIONS = 600;

  /** The time of each attempt. */
  long PATIENCE_MILLIS = 200;

  /** An endpoint. */
  @Path("/")
  class Living {
    @GET
    @RateLimit(limit = 1000, window = 60)
    public String living() {
      return "";
    }
  }

  @Test
  default void theLastApplicationThatStopsClosesTheWeirMadeForIt() throws Exception {
    underAnOwnLoader(
        () -> {
          Server first = startLiving();
          Weir made = Weir.application();
          Server second = startLiving();
          first.stop().close();
          assertSame(made, Weir.application());
          assertLimited(second);
          second.stop().close();
          try (Weir next = Weir.application()) {
            assertNotSame(made, next);
          }
        });
  }

  @Test
  default void oneThatWasInstalledStaysOpen() throws Exception {
    underAnOwnLoader(
        () -> {
          try (Weir installed = Weir.builder().build().install()) {
            startLiving().stop().close();
            assertSame(installed, Weir.application());
          }
        });
  }

  /** An endpoint for one request. */
  @Path("/")
  class Once {
    @GET
    @RateLimit(limit = 1, window = 60)
    public String once() {
      return "";
    }
  }

  @Test
  default void anApplicationThatStartsAgainCountsAnew() throws Exception {
    underAnOwnLoader(
        () -> {
          for (int i = 0; i < 2; i++) {
            Server server = serving(Once.class).with(new RateLimitFeature()).startAsIs();
            assertEquals(200, get(server.base() + "/").statusCode(), "start " + i);
            assertEquals(429, get(server.base() + "/").statusCode());
            server.stop().close();
          }
        });
  }

  /** Stops another application during the start, when features exist but no request is served. */
  final class StopsAnother implements DynamicFeature {
    private final AutoCloseable other;
    private final AtomicBoolean stopped = new AtomicBoolean();

    StopsAnother(AutoCloseable other) {
      this.other = other;
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
      if (stopped.compareAndSet(false, true)) {
        try {
          other.close();
        } catch (Exception failed) {
          throw new AssertionError(failed);
        }
      }
    }
  }

  @Test
  default void anApplicationThatStartsWhileAnotherStopsServes() throws Exception {
    underAnOwnLoader(
        () -> {
          Server first = startLiving();
          Server second =
              serving(Living.class)
                  .with(new RateLimitFeature(), new StopsAnother(first.stop()))
                  .startAsIs();
          assertLimited(second);
          second.stop().close();
        });
  }

  /** Checks that its Weir is open: a closed one admits all requests. */
  private static void assertLimited(Server server) {
    Response answer = get(server.base() + "/");
    assertEquals(200, answer.statusCode());
    assertNotNull(answer.header("RateLimit"));
  }

  @Test
  default void requestsThatArriveAfterItsWeirWasClosedAreAdmitted() throws Exception {
    Api api = serving(Living.class).setting("weir.policy.Living.living.limit", "1").start();
    assertEquals(1, api.admitted("/"));
    api.weir().close();
    for (int i = 0; i < 3; i++) {
      Response answer = api.get("/");
      assertEquals(200, answer.statusCode());
      assertNull(answer.header("RateLimit"));
    }
  }

  /** A mistake that Weir detects. */
  @Path("/")
  class Mistaken {
    @GET
    @RateLimit(limit = 0, window = 60)
    public String mistaken() {
      return "";
    }
  }

  /** A mistake that Weir doesn't detect. */
  final class Fails implements DynamicFeature {
    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
      throw new IllegalStateException("on purpose");
    }
  }

  @Test
  default void aStartThatFailsLeavesNoThread() throws Exception {
    underAnOwnLoader(
        () -> {
          Set<Thread> before = threads();
          Setup mistaken = serving(Mistaken.class).with(new RateLimitFeature());
          assertThrows(Exception.class, mistaken::startAsIs);
          assertEnd(before);
        });
  }

  @Test
  default void oneThatFailsForAnotherReasonLeavesNoneForLong() throws Exception {
    underAnOwnLoader(
        () -> {
          Set<Thread> before = threads();
          Setup failing = serving(Living.class).with(new RateLimitFeature(), new Fails());
          assertThrows(Exception.class, failing::startAsIs);
          assertEnd(before);
        });
  }

  private static Set<Thread> threads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(each -> !each.getName().equals("weir"));
    return threads;
  }

  private static void assertEnd(Set<Thread> before) throws InterruptedException {
    Set<Thread> ending = threads();
    ending.removeAll(before);
    for (Thread each : ending) {
      for (int tries = 0; each.isAlive() && tries < MAX_COLLECTIONS; tries++) {
        System.gc();
        each.join(PATIENCE_MILLIS);
      }
      assertFalse(each.isAlive());
    }
  }

  private Server startLiving() throws Exception {
    Server server = serving(Living.class).with(new RateLimitFeature()).startAsIs();
    assertLimited(server);
    return server;
  }

  /** A loader of its own, as each application has one. */
  private static void underAnOwnLoader(Action action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new ClassLoader(before) {});
    try {
      action.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A step of a test. */
  interface Action {
    /** Runs the step. */
    void run() throws Exception;
  }
}
