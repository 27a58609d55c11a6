package io.weir.internal.redis;

import io.weir.internal.redis.connection.RedisConnections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks periodically whether Redis may evict keys, which would lose the use of a limit. Logs it
 * once, and again only after it was fixed.
 *
 * <p>Safe for concurrent use.
 */
final class EvictionCheck {
  /**
   * Checks at the first heartbeat and at every 600th, which is 10 min of up to 100 nodes, since
   * settings and masters change.
   */
  private static final int INTERVAL_BEATS = 600;

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String NONE = "noeviction";

  private final RedisConnections connections;
  private final AtomicLong beats = new AtomicLong();
  private final Set<Integer> evicting = ConcurrentHashMap.newKeySet();

  EvictionCheck(RedisConnections connections) {
    this.connections = connections;
  }

  void beat() {
    if (beats.getAndIncrement() % INTERVAL_BEATS == 0) {
      connections.askForMemory(this::read);
    }
  }

  /** Reads the section of INFO about a master's memory. */
  void read(int partition, String info) {
    String policy = value(info, "maxmemory_policy");
    boolean evicts =
        !policy.isEmpty() && !policy.equals(NONE) && !value(info, "maxmemory").equals("0");
    if (!evicts) {
      evicting.remove(partition);
    } else if (first(partition)) {
      LOG.log(
          Level.WARNING,
          "Redis evicts keys when its memory is full (maxmemory-policy "
              + policy
              + "), and then forgets how much of their limits was used. Set maxmemory-policy"
              + " noeviction, or give Weir a Redis of its own in weir.store.");
    }
  }

  private boolean first(int partition) {
    boolean none = evicting.isEmpty();
    return evicting.add(partition) && none;
  }

  private static String value(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }
}
