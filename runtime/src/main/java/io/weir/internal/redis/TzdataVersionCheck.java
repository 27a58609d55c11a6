package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.Claim;
import io.weir.store.LeasingStore;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Detects nodes whose JVMs have different time zone data, so that their windows of the calendar may
 * begin and end at other times. They still share one count, but a window may be split in two.
 * Logged once, and again only after it was fixed.
 *
 * <p>With the heartbeat each node leaves the version of its data in a hash of its prefix, once it
 * has made a claim on such a window.
 *
 * <p>Safe for concurrent use.
 */
final class TzdataVersionCheck {
  /** Checks at every tenth heartbeat, which is 10 s of up to 100 nodes. */
  private static final int INTERVAL_BEATS = 10;

  /** Times that a heartbeat is remembered: long enough that one lost call removes no version. */
  private static final int REMEMBERED = 8;

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final RedisConnections connections;
  private final byte[] key;
  private final String version;
  private final RedisScript script = RedisScript.read("zones.lua");
  private final AtomicLong beats = new AtomicLong();
  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile boolean used;

  TzdataVersionCheck(RedisConnections connections, byte[] key) {
    this(connections, key, version());
  }

  TzdataVersionCheck(RedisConnections connections, byte[] key, String version) {
    this.connections = connections;
    this.key = key;
    this.version = version;
  }

  /** Returns a version such as {@code 2025b}. */
  private static String version() {
    try {
      return ZoneRulesProvider.getVersions("Europe/Berlin").lastKey();
    } catch (ZoneRulesException another) {
      return "unknown";
    }
  }

  void note(List<Claim> claims) {
    if (used) {
      return;
    }
    for (int i = 0; i < claims.size(); i++) {
      if (claims.get(i).windowEnd() > 0) {
        used = true;
      }
    }
  }

  void beat(int live) {
    if (used && beats.getAndIncrement() % INTERVAL_BEATS == 0) {
      byte[] ttl =
          Long.toString(REMEMBERED * LeasingStore.membershipMicros(live)).getBytes(US_ASCII);
      EvalCall call = script.call(List.of(key), List.of(version.getBytes(UTF_8), ttl));
      connections
          .send(connections.partition(key), List.of(call))
          .thenRun(() -> read(call.failure().isPresent() ? null : call.reply()));
    }
  }

  private void read(@Nullable Object reply) {
    if (!(reply instanceof byte[] others)) {
      return;
    }
    String versions = new String(others, UTF_8);
    if (versions.isEmpty()) {
      logged.set(false);
    } else if (logged.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Other nodes at "
              + connections.describe()
              + " have time zone data "
              + versions
              + ", this one has "
              + version
              + ". Where these differ, a calendar window may begin at another time on each node"
              + " and be split in two. Run the same Java version on all nodes");
    }
  }
}
