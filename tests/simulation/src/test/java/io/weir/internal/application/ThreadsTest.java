package io.weir.internal.application;

import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.Ticker;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.Membership;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.store.SimulatedStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The threads of a Weir inherit nothing from the request that made it. */
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
    try (WeirRuntime weir = new DefaultWeirBuilder().build()) {
      GuardedEndpoint guard =
          weir.endpoint(Shop.class, Shop.class.getMethod("buy"), EndpointType.SERVLET);
      assertTrue(
          guard.enter(FakeRequest.from("192.0.2.1")).decide(BEFORE_AUTHENTICATION).isEmpty());
    } finally {
      user.remove();
    }
    assertEquals(List.of(), user.inherited);
  }

  /** Nodes that share a store are warmed up by a thread, before all settings are looked at. */
  @Test
  void aStartThatFailsLeavesNoThread() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    DefaultWeirBuilder start =
        new DefaultWeirBuilder()
            .store(new Shared())
            .settings(Map.of("weir.proxy.trusted", "192.0.2.0/99"));
    assertThrows(InvalidSettingException.class, start::build);
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(each) && each.getName().startsWith("weir")) {
        each.join(TimeUnit.SECONDS.toMillis(20));
        assertFalse(each.isAlive(), each::getName);
      }
    }
  }

  /** One that several threads may use. */
  private static final class Shared extends ForwardingStore {
    Shared() {
      super(new SimulatedStore(() -> Ticker.system().epochMicros()));
    }

    @Override
    public synchronized CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return super.execute(claims);
    }

    @Override
    public synchronized CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      return super.execute(partition, epoch, claims);
    }

    @Override
    public synchronized CompletionStage<Epoch> epoch(int partition, Epoch known) {
      return super.epoch(partition, known);
    }

    @Override
    public synchronized CompletionStage<Membership> heartbeat(String node) {
      return super.heartbeat(node);
    }
  }
}
