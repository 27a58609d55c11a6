package io.weir.internal.redis;

import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.FailureKind;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.ExactBuckets;
import io.weir.store.ExactRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts buckets in Redis exactly, with a call of a script for each request. Requests that arrive
 * while calls are in flight share the next ones, pipelined.
 *
 * <p>Calls that may have been executed are never sent again. When a master doesn't answer, requests
 * queued for it fail as well, so that none waits for several time-outs in a row. The queue is
 * bounded.
 *
 * <p>Safe for concurrent use.
 */
final class RedisExactBuckets implements ExactBuckets {
  private static final int MAX_WAITING = 20_000;
  private static final int MAX_CALLS = 128;

  /** Two, so that the next is in flight while one is being answered. */
  private static final int MAX_IN_FLIGHT = 2;

  private final RedisConnections connections;
  private final BucketKeyEncoder keys;
  private final BiConsumer<Integer, Failure> failures;
  private final Runnable answered;
  private final ExactRequestCodec scripts = new ExactRequestCodec();
  private final Map<Integer, Partition> partitions = new ConcurrentHashMap<>();

  /**
   * Connects nothing yet.
   *
   * @param answered run whenever Redis has executed something
   */
  RedisExactBuckets(
      RedisConnections connections,
      BucketKeyEncoder keys,
      BiConsumer<Integer, Failure> failures,
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
      } catch (StoreUnavailableException odd) {
        reply.completeExceptionally(odd);
      }
    }

    void fail(Failure why) {
      reply.completeExceptionally(new StoreUnavailableException(why.text()));
    }
  }

  /** Queues the requests for one master. */
  private final class Partition {
    private final int number;
    private final ArrayDeque<Waiting<?>> queue = new ArrayDeque<>(); // guarded by this
    private int inFlight; // guarded by this

    Partition(int number) {
      this.number = number;
    }

    void add(Waiting<?> waiting) {
      synchronized (this) {
        if (queue.size() < MAX_WAITING) {
          queue.add(waiting);
          waiting = null;
        }
      }
      if (waiting != null) {
        waiting.fail(Failure.of("too many requests are waiting for Redis"));
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
      if (queue.isEmpty() || inFlight == MAX_IN_FLIGHT) {
        return null;
      }
      inFlight++;
      List<Waiting<?>> batch = new ArrayList<>(Math.min(MAX_CALLS, queue.size()));
      while (batch.size() < MAX_CALLS && !queue.isEmpty()) {
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
          failures.accept(number, why);
          away = why.trouble() == FailureKind.AWAY ? why : away;
        }
      }
      List<Waiting<?>> behind = ended(away != null);
      sendNext();
      if (some) {
        answered.run();
      }
      batch.forEach(Waiting::complete);
      Failure reason = away == null ? Failure.of("") : away;
      behind.forEach(each -> each.fail(reason));
    }

    /** Notes that a call has ended. Requests queued behind one that failed are given up. */
    private synchronized List<Waiting<?>> ended(boolean failed) {
      inFlight--;
      if (!failed) {
        return List.of();
      }
      List<Waiting<?>> behind = List.copyOf(queue);
      queue.clear();
      return behind;
    }
  }
}
