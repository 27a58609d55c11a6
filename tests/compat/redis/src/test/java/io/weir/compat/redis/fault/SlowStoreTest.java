package io.weir.compat.redis.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three nodes on a Redis that answers around the time-out of a decision (100 ms), and callers who
 * each come 85 times a second to a node by chance, with a limit of 100 a minute.
 */
@OneDayIn(2)
class SlowStoreTest {
  private static final int NODES = 3;
  private static final int LIMIT = 100;

  /** Beyond what the algorithm allows in any window. */
  private static final int MAX_BEYOND = 5;

  /** The same where the machine was late by more than {@link #LATE_NANOS}: what is promised. */
  private static final int MAX_BEYOND_IF_LATE = 10;

  private static final long LATE_NANOS = 50_000_000;

  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET);
  private static final int CALLERS = 4;
  private static final long EACH_NANOS = 1_000_000_000L / 85;
  private static final boolean DEEP = Seeds.deep();

  /** Long enough to use the limit up, or else to see what comes of it in the next window. */
  private static final Duration LOAD = DEEP ? Duration.ofSeconds(75) : Duration.ofMillis(2_500);

  private final Random random = new Random(85);
  private final Map<Algorithm, Map<String, Queue<Long>>> admitted = new ConcurrentHashMap<>();
  private final AtomicInteger degraded = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({"0, 1", "20, 180", "60, 140", "150, 170"})
  void hardlyAnybodyGetsMoreThanTheLimit(long least, long most) throws Exception {
    boolean isLate;
    try (ProxiedRedis redis = ProxiedRedis.alone()) {
      List<Weir> nodes = warm(redis.url());
      redis.slow(least, most);
      try (Hiccups hiccups = new Hiccups()) {
        load(nodes);
        isLate = hiccups.worstNanos() > LATE_NANOS;
      }
      redis.heal();
      nodes.forEach(Weir::close);
    }
    Map<Algorithm, Long> beyond = new TreeMap<>();
    admitted.forEach(
        (algorithm, callers) ->
            callers.forEach(
                (caller, times) -> beyond.merge(algorithm, beyond(algorithm, times), Math::max)));
    System.out.println(
        "answers after "
            + least
            + " to "
            + most
            + " ms: "
            + degraded
            + " degraded, beyond "
            + beyond);
    assertEquals(ALGORITHMS.size(), beyond.size());
    int allowed = isLate ? MAX_BEYOND_IF_LATE : MAX_BEYOND;
    beyond.forEach(
        (algorithm, permits) -> assertTrue(permits <= allowed, algorithm + " " + permits));
  }

  private static long beyond(Algorithm algorithm, Queue<Long> admitted) {
    long[] times = admitted.stream().mapToLong(Long::longValue).sorted().toArray();
    long[] permits = Arrays.stream(times).map(any -> 1).toArray();
    return Bound.of(policy(algorithm)).excess(times, permits);
  }

  private List<Weir> warm(String url) throws Exception {
    List<Weir> nodes = new ArrayList<>();
    Map<String, String> settings =
        Map.of("weir.store", url, "weir.prefix", RedisServer.prefix(), "weir.store.nodes", "3");
    for (int i = 0; i < NODES; i++) {
      nodes.add(Weir.builder().settings(settings).build());
    }
    long until = Ticker.system().nanoTime() + 2_500_000_000L; // by then all know of each other
    while (Ticker.system().nanoTime() < until) {
      for (Weir node : nodes) {
        for (Algorithm algorithm : ALGORITHMS) {
          node.limiter().tryAcquire(policy(algorithm), Key.of("nobody"));
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
    return nodes;
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder(algorithm.name())
        .limit(LIMIT)
        .window(Duration.ofMinutes(1))
        .algorithm(algorithm)
        .build();
  }

  private void load(List<Weir> nodes) {
    long began = Ticker.system().nanoTime();
    for (int turn = 0; turn * EACH_NANOS < LOAD.toNanos(); turn++) {
      for (Algorithm algorithm : ALGORITHMS) {
        for (int caller = 0; caller < CALLERS; caller++) {
          ask(nodes.get(random.nextInt(NODES)), algorithm, "caller" + caller);
        }
      }
      LockSupport.parkNanos(began + (turn + 1) * EACH_NANOS - Ticker.system().nanoTime());
    }
  }

  private void ask(Weir node, Algorithm algorithm, String caller) {
    CompletionStage<Decision> asked =
        node.limiter()
            .tryAcquireAsync(List.of(new PermitRequest(policy(algorithm), Key.of(caller))));
    asked.thenAccept(
        decision -> {
          degraded.addAndGet(decision.degraded() ? 1 : 0);
          if (decision.admitted()) {
            admitted
                .computeIfAbsent(algorithm, any -> new ConcurrentHashMap<>())
                .computeIfAbsent(caller, any -> new ConcurrentLinkedQueue<>())
                .add(Ticker.system().epochMicros());
          }
        });
  }
}
