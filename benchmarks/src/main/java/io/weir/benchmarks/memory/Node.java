package io.weir.benchmarks.memory;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.RateLimiterBuilder;
import io.weir.internal.inprocess.InProcessStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * A limiter that gets one request for each of many addresses, without waiting for answers.
 *
 * <p>Confine to one thread.
 */
final class Node implements AutoCloseable {
  /** The store's address for one in this process. */
  static final String IN_PROCESS = "inprocess:";

  private static final int IN_FLIGHT = 2_000;
  // A machine that is busy mustn't make decisions that are degraded: they aren't what is measured.
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Policy POLICY =
      Policy.builder("search").limit(100).window(Duration.ofHours(1)).build();

  private final RateLimiter limiter;

  private Node(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /**
   * Returns a node whose cache (or whose store, if that is in this process) has room for so many
   * buckets.
   */
  static Node of(String store, int room, Duration flush) {
    RateLimiterBuilder builder = RateLimiter.builder().flushInterval(flush).cacheBuckets(room);
    builder.storeTimeout(PATIENCE);
    return new Node(
        store.equals(IN_PROCESS)
            ? builder.store(new InProcessStore(io.weir.Ticker.system(), room)).build()
            : builder.store(store, Node::setting).build());
  }

  private static String setting(String name) {
    return switch (name) {
      case "weir.store.timeout" -> PATIENCE.toSeconds() + "s";
      case "weir.secret" -> "of the benchmark";
      default -> "";
    };
  }

  /** Returns the address of a number up to 2^24, in the first of 256 networks that is named. */
  static String address(int network, int number) {
    return network + "." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
  }

  /**
   * Asks once for each of these addresses.
   *
   * @return how many were admitted
   */
  long touch(int network, int from, int to) {
    Semaphore room = new Semaphore(IN_FLIGHT);
    LongAdder admitted = new LongAdder();
    LongAdder degraded = new LongAdder();
    for (int i = from; i < to; i++) {
      room.acquireUninterruptibly();
      Key key = Key.address(address(network, i));
      limiter
          .tryAcquireAsync(List.of(new PermitRequest(POLICY, key)))
          .whenComplete(
              (decision, mistake) -> {
                count(decision, admitted, degraded);
                room.release();
              });
    }
    room.acquireUninterruptibly(IN_FLIGHT);
    if (degraded.sum() > 0) {
      throw new IllegalStateException(degraded + " weren't decided by the store");
    }
    return admitted.sum();
  }

  private static void count(Decision decision, LongAdder admitted, LongAdder degraded) {
    if (decision == null || decision.degraded()) {
      degraded.increment();
    } else if (decision.admitted()) {
      admitted.increment();
    }
  }

  @Override
  public void close() {
    limiter.close();
  }
}
