package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.Claim;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Notices nodes whose JVMs have other time zone data, so that their windows of the calendar may
 * begin and end at other times. They still share one count, but a window may be cut in two. Said
 * once in the log, and again only after it was mended.
 *
 * <p>Beside the heartbeat each node leaves the version of its data in a hash of its prefix, from
 * its first claim on such a window on.
 *
 * <p>Safe for concurrent use.
 */
final class TimeZoneCheck {
  /** Every ten seconds. */
  private static final int EACH_BEATS = 10;

  /** So that one lost call makes no version go. */
  private static final byte[] TTL = "25000000".getBytes(US_ASCII);

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final RedisConnections connections;
  private final byte[] key;
  private final String version;
  private final byte[] script = Scripts.read("zones.lua").getBytes(UTF_8);
  private final byte[] sha = Scripts.sha(script);
  private final AtomicLong beats = new AtomicLong();
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean used;

  /**
   * Makes a check for this JVM.
   *
   * @param connections to Redis
   * @param key where nodes leave their versions
   */
  TimeZoneCheck(RedisConnections connections, byte[] key) {
    this(connections, key, version());
  }

  TimeZoneCheck(RedisConnections connections, byte[] key, String version) {
    this.connections = connections;
    this.key = key;
    this.version = version;
  }

  /** The version of this JVM's time zone data: {@code 2025b}. */
  private static String version() {
    try {
      return ZoneRulesProvider.getVersions("Europe/Berlin").lastKey();
    } catch (ZoneRulesException another) {
      return "unknown";
    }
  }

  /** Claims are about to be sent. */
  void sees(List<Claim> claims) {
    if (used) {
      return;
    }
    for (int i = 0; i < claims.size(); i++) {
      if (claims.get(i).windowEnd() > 0) {
        used = true;
      }
    }
  }

  /** A heartbeat of this node was answered. */
  void beat() {
    if (used && beats.getAndIncrement() % EACH_BEATS == 0) {
      EvalCall call = new EvalCall(sha, script, List.of(key), List.of(version.getBytes(UTF_8), TTL));
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
      told.set(false);
    } else if (told.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Other nodes at "
              + connections.describe()
              + " have time zone data "
              + versions
              + " and not "
              + version
              + ". Where these differ, a window of the calendar may begin at another time there and"
              + " be cut in two. Run the same Java on all nodes");
    }
  }
}
