package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.FailureKind;
import io.weir.internal.redis.connection.RedisConnections;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Notices nodes that count apart by mistake: under the same prefix with another secret, or with the
 * same secret under another prefix. Both sides say so in the log, once, and again only after it was
 * mended.
 *
 * <p>Beside the heartbeat, each node leaves a fingerprint of its secret, and its prefix, in a hash
 * of its prefix. Those with a secret meet in one more hash, {@code weir:neighbours}, whatever their
 * prefix is; a user who may not use that key isn't told of other prefixes. Whoever has both another
 * prefix and another secret is another application.
 *
 * <p>In a cluster a hash lives where its key does, which is the same master for all. Where it can't
 * be asked nothing is said; who needs Redis for more than that says it.
 *
 * <p>Safe for concurrent use.
 */
final class SeparateClusterCheck {
  /** At the first heartbeat and every five seconds. */
  private static final int EACH_BEATS = 5;

  /** So that one lost call makes nobody go. */
  private static final byte[] TTL = micros(Duration.ofSeconds(12));

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final RedisConnections connections;
  private final RedisKeySchema keys;
  private final byte[] script = Scripts.read("neighbours.lua").getBytes(UTF_8);
  private final byte[] sha = Scripts.sha(script);
  private final byte[] leave = Scripts.read("leave.lua").getBytes(UTF_8);
  private final byte[] leaveSha = Scripts.sha(leave);
  private final AtomicLong beats = new AtomicLong();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private final Set<Kind> told = ConcurrentHashMap.newKeySet();

  /** In what they differ. */
  private enum Kind {
    SECRET,
    PREFIX
  }

  SeparateClusterCheck(RedisConnections connections, RedisKeySchema keys) {
    this.connections = connections;
    this.keys = keys;
  }

  private static byte[] micros(Duration length) {
    return Long.toString(length.toNanos() / 1_000).getBytes(US_ASCII);
  }

  /** A heartbeat of this node was answered. */
  void beat(String node) {
    if (beats.getAndIncrement() % EACH_BEATS == 0) {
      keys.meetings().forEach(place -> look(place, node));
    }
  }

  private void look(String place, String node) {
    if (forbidden.contains(place)) {
      return;
    }
    List<byte[]> args =
        List.of(
            node.getBytes(UTF_8),
            keys.fingerprint().getBytes(US_ASCII),
            keys.prefix().getBytes(US_ASCII),
            TTL);
    EvalCall call = new EvalCall(sha, script, List.of(place.getBytes(US_ASCII)), args);
    send(call, place).thenRun(() -> read(call, place));
  }

  private CompletionStage<?> send(EvalCall call, String place) {
    return connections.send(connections.partition(place.getBytes(US_ASCII)), List.of(call));
  }

  private void read(EvalCall call, String place) {
    if (call.failure().isPresent()) {
      if (call.failure().get().trouble() == FailureKind.NOPERM) {
        forbidden.add(place); // or Redis would note an attempt every five seconds
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
        tell(Kind.SECRET, strangers, otherSecret(strangers));
      }
      if (place.equals(RedisKeySchema.COMMON_MEETING) && keys.isSecret()) {
        tell(Kind.PREFIX, elsewhere, otherPrefix(elsewhere, new String(where, UTF_8)));
      }
    }
  }

  private void tell(Kind kind, long number, String text) {
    if (number <= 0) {
      told.remove(kind);
    } else if (told.add(kind)) {
      LOG.log(System.Logger.Level.WARNING, text);
    }
  }

  private String otherSecret(long number) {
    return number
        + " other node(s) with the weir.prefix '"
        + keys.prefix()
        + "' at "
        + connections.describe()
        + " have another weir.secret than this one. They count apart, so limits hold for each side"
        + " alone. Give all nodes the same weir.secret";
  }

  private String otherPrefix(long number, String where) {
    String other = RedisKeySchema.isPrefix(where) ? where : "?";
    return number
        + " other node(s) with the weir.secret of this one at "
        + connections.describe()
        + " have another weir.prefix, '"
        + other
        + "' and not '"
        + keys.prefix()
        + "'. They count apart, so limits hold for each side alone. Give all nodes of an application"
        + " the same weir.prefix, and another application a weir.secret of its own";
  }

  /** This node is gone: completed, never exceptionally, when that is known or can't be told. */
  CompletionStage<?> leave(String node) {
    return CompletableFuture.allOf(
        keys.meetings().stream()
            .filter(place -> !forbidden.contains(place))
            .map(place -> leave(place, node).toCompletableFuture())
            .toArray(CompletableFuture[]::new));
  }

  private CompletionStage<?> leave(String place, String node) {
    List<byte[]> key = List.of(place.getBytes(US_ASCII));
    return send(new EvalCall(leaveSha, leave, key, List.of(node.getBytes(UTF_8))), place);
  }
}
