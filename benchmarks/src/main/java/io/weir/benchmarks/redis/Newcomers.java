package io.weir.benchmarks.redis;

import io.weir.compat.redis.RedisServer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Callers that come once each. A round is over when Redis, empty before, knows all of them: so what
 * is admitted ahead of it counts only once it has been told.
 *
 * <p>Confine to one thread.
 */
final class Newcomers {
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(20);
  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int SAMPLED = 64;

  /** Forgets all callers but not what Redis knows of itself: a loss of that would be told again. */
  private static final String FORGET =
      """
      local own = {['weir:nodes'] = true, ['weir:epoch'] = true, ['weir:neighbours'] = true}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        if not own[key] then redis.call('DEL', key) end
      end
      """;

  private final Predicate<String> admits;
  private final Predicate<String> admitsAtOnce;
  private final RedisServer server;
  private final LongAdder sampled = new LongAdder();
  private final LongAdder atOnce = new LongAdder();
  private int rounds;

  Newcomers(Predicate<String> admits, RedisServer server) {
    this(admits, admits, server);
  }

  /**
   * Those of whom some are watched.
   *
   * @param admitsAtOnce admits as well, and tells whether that needed no waiting
   */
  Newcomers(Predicate<String> admits, Predicate<String> admitsAtOnce, RedisServer server) {
    this.admits = admits;
    this.admitsAtOnce = admitsAtOnce;
    this.server = server;
  }

  /** How many requests a second came and were told to Redis. */
  double round(int threads, long millis) throws Exception {
    forgetAll();
    String series = "caller-" + rounds++ + "-";
    long begin = System.nanoTime();
    Race.Result result =
        Race.run(threads, millis, thread -> new Caller(series + thread + "-")::ask);
    await(result.requests());
    return result.requests() * 1e9 / (System.nanoTime() - begin);
  }

  /**
   * A debt whose answer was late is told once more, so it may come when its caller is forgotten.
   */
  private void forgetAll() {
    long begin = System.nanoTime();
    do {
      if (System.nanoTime() - begin > LONGEST) {
        throw new IllegalStateException("Redis is told for ever of callers who came before");
      }
      server.ask("EVAL", FORGET, "0");
      LockSupport.parkNanos(QUIET);
    } while (known() > 0);
  }

  private void await(long callers) {
    long begin = System.nanoTime();
    long known = known();
    while (known != callers) {
      if (known > callers || System.nanoTime() - begin > LONGEST) {
        throw new IllegalStateException(callers + " came, Redis knows of " + known);
      }
      LockSupport.parkNanos(100_000);
      known = known();
    }
  }

  private long known() {
    long keys = Long.parseLong(server.ask("DBSIZE"));
    return keys
        - Long.parseLong(server.ask("EXISTS", "weir:nodes", "weir:epoch", "weir:neighbours"));
  }

  /** How many of a hundred needn't wait for Redis. */
  double atOncePercent() {
    return 100.0 * atOnce.sum() / Math.max(1, sampled.sum());
  }

  /** Begins to count those anew. */
  void forget() {
    sampled.reset();
    atOnce.reset();
  }

  private final class Caller {
    private final String series;
    private int asked;

    Caller(String series) {
      this.series = series;
    }

    boolean ask() {
      String name = series + asked++;
      if (asked % SAMPLED != 0) {
        return admits.test(name);
      }
      sampled.increment();
      if (admitsAtOnce.test(name)) {
        atOnce.increment();
      }
      return true;
    }
  }
}
