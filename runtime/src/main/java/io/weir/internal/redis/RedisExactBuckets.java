package io.weir.internal.redis;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.FailureKind;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in Redis that are counted exactly: a call of a script for each request. Requests that
 * come while calls are under way share the next ones, pipelined.
 *
 * <p>What may have been executed is never sent again. When a master doesn't answer, what waits for
 * it fails as well, so that nobody waits for several time-outs one after the other; and so many may
 * wait and no more.
 *
 * <p>Safe for concurrent use.
 */
final class RedisExactBuckets implements ExactBuckets {
  private static final int MOST_WAITING = 20_000;
  private static final int MOST_CALLS = 128;

  /** As one is answered the next is on its way. */
  private static final int MOST_FLYING = 2;

  private final RedisConnections connections;
  private final RedisKeySchema keys;
  private final NodeRegistry.FailureListener failures;
  private final Runnable answered;
  private final ExactScript scripts = new ExactScript();
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();

  /**
   * Makes them.
   *
   * @param failures told of each failure
   * @param answered run whenever Redis has executed something
   */
  RedisExactBuckets(
      RedisConnections connections,
      RedisKeySchema keys,
      NodeRegistry.FailureListener failures,
      Runnable answered) {
    this.connections = connections;
    this.keys = keys;
    this.failures = failures;
    this.answered = answered;
  }

  @Override
  public <R> CompletionStage<R> execute(ExactRequest<R> request) {
    byte[] key = keys.of(request.bucket());
    Waiting<R> waiting = new Waiting<>(request, scripts.call(request, key));
    partitions.computeIfAbsent(connections.partition(key), Partition::new).add(waiting);
    return waiting.reply;
  }

  /** A request and its call. */
  private final class Waiting<R> {
    private final ExactRequest<R> request;
    private final EvalCall call;
    private final CompletableFuture<R> reply = new CompletableFuture<>();

    Waiting(ExactRequest<R> request, EvalCall call) {
      this.request = request;
      this.call = call;
    }

    void complete() {
      if (call.failure().isPresent()) {
        fail(call.failure().get());
        return;
      }
      try {
        reply.complete(scripts.read(request, call.reply()));
      } catch (RedisUnavailableException odd) {
        reply.completeExceptionally(odd);
      }
    }

    void fail(Failure why) {
      reply.completeExceptionally(new RedisUnavailableException(why));
    }
  }

  /** What waits for one master. */
  private final class Partition {
    private final int number;
    private final ArrayDeque<Waiting<?>> queue = new ArrayDeque<>(); // guarded by this
    private int flying; // guarded by this

    Partition(int number) {
      this.number = number;
    }

    void add(Waiting<?> waiting) {
      synchronized (this) {
        if (queue.size() < MOST_WAITING) {
          queue.add(waiting);
          waiting = null;
        }
      }
      if (waiting != null) {
        waiting.fail(Failure.of("too much waits for Redis"));
      }
      sendNext();
    }

    private void sendNext() {
      List<Waiting<?>> batch = next();
      if (batch != null) {
        List<EvalCall> calls = new ArrayList<>(batch.size());
        batch.forEach(each -> calls.add(each.call));
        connections.send(number, calls).whenComplete((any, never) -> done(batch));
      }
    }

    private synchronized @Nullable List<Waiting<?>> next() {
      if (queue.isEmpty() || flying == MOST_FLYING) {
        return null;
      }
      flying++;
      List<Waiting<?>> batch = new ArrayList<>(Math.min(MOST_CALLS, queue.size()));
      while (batch.size() < MOST_CALLS && !queue.isEmpty()) {
        batch.add(queue.poll());
      }
      return batch;
    }

    private void done(List<Waiting<?>> batch) {
      @Nullable Failure away = null;
      boolean some = false;
      for (Waiting<?> each : batch) {
        Failure why = each.call.failure().orElse(null);
        some |= why == null;
        if (why != null) {
          failures.failed(number, why);
          away = why.trouble() == FailureKind.AWAY ? why : away;
        }
      }
      List<Waiting<?>> behind = landed(away != null);
      sendNext();
      if (some) {
        answered.run();
      }
      batch.forEach(Waiting::complete);
      Failure reason = away == null ? Failure.of("") : away;
      behind.forEach(each -> each.fail(reason));
    }

    /** One call less is under way. What waits behind one that failed is given up. */
    private synchronized List<Waiting<?>> landed(boolean inVain) {
      flying--;
      if (!inVain) {
        return List.of();
      }
      List<Waiting<?>> behind = List.copyOf(queue);
      queue.clear();
      return behind;
    }
  }
}
