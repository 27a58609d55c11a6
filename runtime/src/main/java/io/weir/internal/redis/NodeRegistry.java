package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.Ticker;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the nodes that share the store: one hash in Redis, which expires when all nodes have been
 * silent for as long as a heartbeat is remembered. Of many nodes, one in turn reads all of it.
 *
 * <p>Both scripts may be executed twice without harm. Safe for concurrent use.
 */
final class NodeRegistry {
  private static final List<byte[]> TIMES =
      Stream.of(
              LeasingStore.MEMBERSHIP_MICROS,
              LeasingStore.MEMBERSHIP_MICROS_PER_NODE,
              LeasingStore.MAX_MEMBERSHIP_MICROS,
              (long) LeasingStore.REMEMBERED_HEARTBEATS)
          .map(each -> Long.toString(each).getBytes(UTF_8))
          .toList();

  /** More nodes than any application has. */
  private static final int MAX_NODES = 1_000_000;

  private final RedisConnections connections;
  private final byte[] key;
  private final byte[] heartbeat = Scripts.read("heartbeat.lua").getBytes(UTF_8);
  private final byte[] heartbeatSha = Scripts.sha(heartbeat);
  private final byte[] leave = Scripts.read("leave.lua").getBytes(UTF_8);
  private final byte[] leaveSha = Scripts.sha(leave);
  private final Ticker ticker;
  private final ClockJumpDetector clock =
      new ClockJumpDetector(
          "The clock of Redis",
          "windows are timed by it, so callers may have waited too long, or not long enough."
              + " Adjust it gradually, with chrony or ntpd, on all its servers: one with a"
              + " different time may have taken over");

  NodeRegistry(RedisConnections connections, byte[] key, Ticker ticker) {
    this.connections = connections;
    this.key = key;
    this.ticker = ticker;
  }

  CompletionStage<Membership> heartbeat(String node, FailureListener failures) {
    List<byte[]> args = new ArrayList<>(List.of(node.getBytes(UTF_8)));
    args.addAll(TIMES);
    long sent = ticker.nanoTime() / 1_000;
    return send(new EvalCall(heartbeatSha, heartbeat, List.of(key), args), failures)
        .thenApply(call -> membership(call.reply(), sent));
  }

  CompletionStage<?> leave(String node, FailureListener failures) {
    return send(
        new EvalCall(leaveSha, leave, List.of(key), List.of(node.getBytes(UTF_8))), failures);
  }

  private CompletionStage<EvalCall> send(EvalCall call, FailureListener failures) {
    int partition = connections.partition(key);
    return connections
        .send(partition, List.of(call))
        .thenApply(
            any -> {
              if (call.failure().isPresent()) {
                Failure why = call.failure().get();
                failures.failed(partition, why);
                throw new RedisUnavailableException(why);
              }
              return call;
            });
  }

  private Membership membership(@Nullable Object reply, long sent) {
    if (reply instanceof List<?> three
        && three.size() == 3
        && three.get(0) instanceof Long live
        && three.get(1) instanceof Long share
        && three.get(2) instanceof Long time
        && live >= 1
        && live <= MAX_NODES
        && share >= 0
        && share <= Membership.WHOLE) {
      long now = ticker.nanoTime() / 1_000;
      NonThrowingLog.run(() -> clock.record(time, sent, now));
      return new Membership(live.intValue(), share.intValue());
    }
    throw new RedisUnavailableException(Failure.of("unexpected answer to a heartbeat"));
  }

  /** Receives failures. */
  interface FailureListener {
    /** Notes a failure. */
    void failed(int partition, Failure why);
  }
}
