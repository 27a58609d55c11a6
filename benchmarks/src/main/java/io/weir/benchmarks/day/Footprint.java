package io.weir.benchmarks.day;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Child;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Figure;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the memory of a user that makes 500 requests per hour where 1,000 are allowed: in Redis
 * and in the store in process.
 *
 * <p>In process a clock of the benchmark's own goes by. Redis has only the real one: there the hour
 * is a minute long, which makes as many slots of a window, each with as many permits.
 */
final class Footprint {
  /** Returns the memory per key, of keys with a name pattern. */
  private static final String BYTES =
      """
      local keys = redis.call('KEYS', ARGV[1])
      local sum = 0
      for _, key in ipairs(keys) do
        sum = sum + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0)
      end
      return tostring(sum / math.max(1, #keys))
      """;

  private static final int EACH = 500;
  private static final String TOO_LONG = "it takes a minute";
  private static final int USERS = 100;
  private static final int THREADS = 8;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final List<String> FLAGS = List.of("-Xmx1g", "-XX:+UseSerialGC");

  /** Measures the textbook approaches in Redis: a counter, a counter per minute, a log. */
  private static final Map<Algorithm, String> TEXTBOOK =
      Map.of(
          Algorithm.FIXED_WINDOW, "32 B",
          Algorithm.SLIDING_WINDOW, "1,600 B",
          Algorithm.SLIDING_LOG, "12,000 B");

  private Footprint() {}

  static String inRedis(Algorithm algorithm) {
    return "day.redis_bytes." + word(algorithm);
  }

  static String inProcess(Algorithm algorithm) {
    return "day.inprocess_bytes." + word(algorithm);
  }

  private static String word(Algorithm algorithm) {
    return algorithm.name().toLowerCase(Locale.ROOT);
  }

  static void run(Effort effort, Report report) throws Exception {
    if (effort == Effort.QUICK) {
      for (Algorithm algorithm : Algorithm.values()) {
        report.untold(inRedis(algorithm), TOO_LONG);
        report.untold(inProcess(algorithm), TOO_LONG);
      }
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    try (RedisServer redis = RedisServer.start()) {
      report.progress("users of all algorithms ask Redis");
      ask(redis, effort.of(300, 0, (int) WINDOW.toMillis()));
      Map<Algorithm, Double> inRedis = new EnumMap<>(Algorithm.class);
      for (Algorithm algorithm : Algorithm.values()) {
        inRedis.put(algorithm, bytes(redis, algorithm));
      }
      for (Algorithm algorithm : Algorithm.values()) {
        double there = inRedis.getOrDefault(algorithm, Double.NaN);
        double here = inProcess(algorithm, effort.of(200, 0, 5_000));
        report.figure(inRedis(algorithm), there, "B");
        report.figure(inProcess(algorithm), here, "B");
        rows.add(
            List.of(
                algorithm.name(),
                Figure.number(there) + " B",
                Figure.number(here) + " B",
                TEXTBOOK.getOrDefault(algorithm, "—")));
      }
    }
    List<String> columns = List.of("algorithm", "in Redis", "in process", "the textbook's, Redis");
    report.table(new Table("What a user takes who asks 500 times an hour", columns, rows));
  }

  private static double inProcess(Algorithm algorithm, int users) throws IOException {
    String[] arguments = {algorithm.name(), "" + users, "" + EACH};
    try (Child child = Child.start(FLAGS, InProcessChild.class, arguments)) {
      return Double.parseDouble(child.hear());
    }
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder(name(algorithm))
        .algorithm(algorithm)
        .limit(Nodes.PER_HOUR)
        .window(WINDOW)
        .build();
  }

  private static String name(Algorithm algorithm) {
    return word(algorithm).replace('_', '-');
  }

  private static void ask(RedisServer redis, long millis) throws InterruptedException {
    List<Policy> policies = List.of(Algorithm.values()).stream().map(Footprint::policy).toList();
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(redis.url(), WeirNodes::setting)
            .storeTimeout(WeirNodes.PATIENCE)
            .build()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        threads.add(new Thread(() -> ask(limiter, policies, millis, random)));
      }
      threads.forEach(Thread::start);
      for (Thread each : threads) {
        each.join();
      }
      // A bucket that has nothing to remember any more is gone; here each has just been used.
      for (int user = 0; user < USERS; user++) {
        for (Policy policy : policies) {
          limiter.tryAcquire(policy, Key.of("user-" + user));
        }
      }
    }
  }

  private static void ask(
      RateLimiter limiter, List<Policy> policies, long millis, SplittableRandom random) {
    double between = (double) WINDOW.toNanos() * THREADS / EACH / USERS / policies.size();
    double due = System.nanoTime();
    double end = due + millis * 1e6;
    while (due < end) {
      due -= between * Math.log(1 - random.nextDouble());
      for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
        LockSupport.parkNanos((long) due - now);
      }
      Policy policy = policies.get(random.nextInt(policies.size()));
      limiter.tryAcquire(policy, Key.of("user-" + random.nextInt(USERS)));
    }
  }

  private static double bytes(RedisServer redis, Algorithm algorithm) {
    return Double.parseDouble(redis.ask("EVAL", BYTES, "0", "*:" + name(algorithm)));
  }
}
