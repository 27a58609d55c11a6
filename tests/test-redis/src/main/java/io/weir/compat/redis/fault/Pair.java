package io.weir.compat.redis.fault;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Two nodes on one store that know of each other, for one trial after the other.
 *
 * <p>Safe for concurrent use.
 */
public final class Pair implements AutoCloseable {
  static final int NODES = 2;

  /** The time that a decision waits for the store. */
  static final long TIMEOUT_NANOS = 150_000_000;

  /** By then each has heard twice how many there are. */
  private static final long TWO_HEARTBEATS_NANOS = 2_500_000_000L;

  private static final long TURN_NANOS = 20_000_000;

  private final List<Weir> nodes = new ArrayList<>();

  /**
   * Starts both.
   *
   * @param url for {@code weir.store}
   * @param prefix for {@code weir.prefix}
   */
  public Pair(String url, String prefix) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.store", url);
    settings.put("weir.prefix", prefix);
    settings.put("weir.secret", "of the tests");
    settings.put("weir.store.nodes", "" + NODES);
    settings.put("weir.store.timeout", TIMEOUT_NANOS / 1_000_000 + "ms");
    for (int i = 0; i < NODES; i++) {
      nodes.add(Weir.builder().settings(settings).build());
    }
  }

  /** Uses both for so long that they know of each other. */
  public Pair acquainted(Policy policy) {
    long until = Ticker.system().nanoTime() + TWO_HEARTBEATS_NANOS;
    while (Ticker.system().nanoTime() < until) {
      for (int i = 0; i < NODES; i++) {
        Decision any = ask(i, policy, "nobody");
        assert any.limit() == policy.limit();
      }
      LockSupport.parkNanos(TURN_NANOS);
    }
    return this;
  }

  Decision ask(int node, Policy policy, String caller) {
    return nodes.get(node).limiter().tryAcquire(policy, Key.of(caller));
  }

  @Override
  public void close() {
    nodes.forEach(Weir::close);
  }
}
