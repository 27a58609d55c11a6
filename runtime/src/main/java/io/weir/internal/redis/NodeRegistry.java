package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.Ticker;
import io.weir.internal.clock.ClockJumpDetector;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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

  private final Function<EvalCall, CompletionStage<EvalCall>> redis;
  private final byte[] key;
  private final RedisScript heartbeat = RedisScript.read("heartbeat.lua");
  private final RedisScript leave = RedisScript.read("leave.lua");
  private final Ticker ticker;
  private final ClockJumpDetector clock = ClockJumpDetector.ofStore("Redis");

  NodeRegistry(Function<EvalCall, CompletionStage<EvalCall>> redis, byte[] key, Ticker ticker) {
    this.redis = redis;
    this.key = key;
    this.ticker = ticker;
  }

  CompletionStage<Membership> heartbeat(String node) {
    List<byte[]> args = new ArrayList<>(List.of(node.getBytes(UTF_8)));
    args.addAll(TIMES);
    long sent = ticker.nanoTime() / 1_000;
    return redis
        .apply(heartbeat.call(List.of(key), args))
        .thenApply(call -> membership(call.reply(), sent));
  }

  CompletionStage<?> leave(String node) {
    return redis.apply(leave.call(List.of(key), List.of(node.getBytes(UTF_8))));
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
    throw new StoreUnavailableException("unexpected answer to a heartbeat");
  }
}
