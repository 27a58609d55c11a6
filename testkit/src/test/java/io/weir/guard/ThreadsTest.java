package io.weir.guard;

import static io.weir.guard.Phase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.policy.Site;
import io.weir.testkit.FakeRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What the threads of a Weir take over from the request that made it. */
class ThreadsTest {
  static class Shop {
    @RateLimit(limit = 1, window = 60, name = "threads")
    public void buy() {}
  }

  /** Remembers which values a new thread was given. */
  private static final class HandedDown extends InheritableThreadLocal<String> {
    private final List<String> inherited = new CopyOnWriteArrayList<>();

    @Override
    protected String childValue(String value) {
      inherited.add(value);
      return value;
    }
  }

  @Test
  void noThreadInheritsWhatARequestHandsDown() throws Exception {
    HandedDown user = new HandedDown();
    user.set("alice");
    try (Weir weir = Weir.builder().build()) {
      EndpointGuard guard = weir.guard(Shop.class, Shop.class.getMethod("buy"), Site.SERVLET);
      assertTrue(
          guard.enter(FakeRequest.from("192.0.2.1")).decide(BEFORE_AUTHENTICATION).isEmpty());
    } finally {
      user.remove();
    }
    assertEquals(List.of(), user.inherited);
  }
}
