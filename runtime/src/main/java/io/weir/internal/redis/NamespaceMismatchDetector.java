package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.FailureKind;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.LeasingStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Detects nodes that count separately by mistake: with the same prefix but another secret, or with
 * the same secret but another prefix. Both sides log it once, and again only after it was fixed.
 *
 * <p>With the heartbeat, each node leaves a fingerprint of its secret, and its prefix, in a hash of
 * its prefix. Nodes with a secret also share the hash {@code weir:neighbours}, whatever their
 * prefix; without permission for that key, a node doesn't learn of other prefixes. Nodes that
 * differ in both prefix and secret belong to another application.
 *
 * <p>In a cluster a hash lives where its key does, which is the same master for all. If that can't
 * be reached nothing is logged here; other parts log it.
 *
 * <p>Safe for concurrent use.
 */
final class NamespaceMismatchDetector {
  /** Checks at the first heartbeat and at every fifth one, which is 5 s of up to 100 nodes. */
  private static final int INTERVAL_BEATS = 5;

  /** Times that a heartbeat is remembered: long enough that one lost call removes no node. */
  private static final int REMEMBERED = 4;

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final RedisConnections connections;
  private final BucketKeyEncoder keys;
  private final RedisScript script = RedisScript.read("neighbours.lua");
  private final RedisScript leave = RedisScript.read("leave.lua");
  private final AtomicLong beats = new AtomicLong();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private final Set<Kind> logged = ConcurrentHashMap.newKeySet();

  /** The ways in which nodes differ. */
  private enum Kind {
    SECRET,
    PREFIX
  }

  NamespaceMismatchDetector(RedisConnections connections, BucketKeyEncoder keys) {
    this.connections = connections;
    this.keys = keys;
  }

  private static byte[] ttl(int live) {
    return Long.toString(REMEMBERED * LeasingStore.membershipMicros(live)).getBytes(US_ASCII);
  }

  void beat(String node, int live) {
    if (beats.getAndIncrement() % INTERVAL_BEATS == 0) {
      keys.meetings().forEach(place -> look(place, node, live));
    }
  }

  private void look(String place, String node, int live) {
    if (forbidden.contains(place)) {
      return;
    }
    List<byte[]> args =
        List.of(
            node.getBytes(UTF_8),
            keys.fingerprint().getBytes(US_ASCII),
            keys.prefix().getBytes(US_ASCII),
            ttl(live));
    EvalCall call = script.call(List.of(place.getBytes(US_ASCII)), args);
    send(call, place).thenRun(() -> read(call, place));
  }

  private CompletionStage<?> send(EvalCall call, String place) {
    return connections.send(connections.partition(place.getBytes(US_ASCII)), List.of(call));
  }

  private void read(EvalCall call, String place) {
    if (call.failure().isPresent()) {
      if (call.failure().get().trouble() == FailureKind.NOPERM) {
        forbidden.add(place); // or Redis would note each attempt
      }
    } else {
      read(call.reply(), place);
    }
  }

  private void read(@Nullable Object reply, String place) {
    if (reply instanceof List<?> three
        && three.size() == 3
        && three.get(0) instanceof Long strangers
        && three.get(1) instanceof Long elsewhere
        && three.get(2) instanceof byte[] where) {
      if (place.equals(keys.meeting())) {
        logOnce(Kind.SECRET, strangers, otherSecret(strangers));
      }
      if (place.equals(BucketKeyEncoder.COMMON_MEETING) && keys.isSecret()) {
        logOnce(Kind.PREFIX, elsewhere, otherPrefix(elsewhere, new String(where, UTF_8)));
      }
    }
  }

  private void logOnce(Kind kind, long number, String text) {
    if (number <= 0) {
      logged.remove(kind);
    } else if (logged.add(kind)) {
      LOG.log(System.Logger.Level.WARNING, text);
    }
  }

  private String otherSecret(long number) {
    return number
        + " other node(s) with the weir.prefix '"
        + keys.prefix()
        + "' at "
        + connections.describe()
        + " have a different weir.secret than this node. They count separately, so each side"
        + " grants the full limits. Give all nodes the same weir.secret";
  }

  private String otherPrefix(long number, String where) {
    String other = BucketKeyEncoder.isPrefix(where) ? where : "?";
    return number
        + " other node(s) with the weir.secret of this one at "
        + connections.describe()
        + " have a different weir.prefix, '"
        + other
        + "' instead of '"
        + keys.prefix()
        + "'. They count separately, so each side grants the full limits. Give all nodes of an"
        + " application"
        + " the same weir.prefix, and every other application a weir.secret of its own";
  }

  /** Removes this node: completed, never exceptionally, when that is done or has failed. */
  CompletionStage<?> leave(String node) {
    return CompletableFuture.allOf(
        keys.meetings().stream()
            .filter(place -> !forbidden.contains(place))
            .map(place -> leave(place, node).toCompletableFuture())
            .toArray(CompletableFuture[]::new));
  }

  private CompletionStage<?> leave(String place, String node) {
    List<byte[]> key = List.of(place.getBytes(US_ASCII));
    return send(leave.call(key, List.of(node.getBytes(UTF_8))), place);
  }
}
