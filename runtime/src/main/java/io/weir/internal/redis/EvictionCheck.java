package io.weir.internal.redis;

import io.weir.internal.redis.connection.RedisConnections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks now and then whether Redis may evict keys, which makes it forget what was used of a limit,
 * and says so in the log: once, and again only after it was mended.
 *
 * <p>Safe for concurrent use.
 */
final class EvictionCheck {
  /** At the first heartbeat, and every ten minutes: settings change, and masters do. */
  private static final int EACH_BEATS = 600;

  private static final Logger LOG = System.getLogger("io.weir");
  private static final String NONE = "noeviction";

  private final RedisConnections connections;
  private final AtomicLong beats = new AtomicLong();
  private final Set<Integer> evicting = ConcurrentHashMap.newKeySet();

  EvictionCheck(RedisConnections connections) {
    this.connections = connections;
  }

  /** A heartbeat was answered. */
  void beat() {
    if (beats.getAndIncrement() % EACH_BEATS == 0) {
      connections.askForMemory(this::read);
    }
  }

  /** What INFO says of a master's memory. Whoever may not ask learns nothing. */
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
              + "), and forgets what was used of their limits. Set maxmemory-policy noeviction, or"
              + " name a Redis of Weir's own in weir.store.");
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
