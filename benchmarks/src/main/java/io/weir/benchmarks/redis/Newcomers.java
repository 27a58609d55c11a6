package io.weir.benchmarks.redis;

import io.weir.benchmarks.Latencies;
import io.weir.benchmarks.Work;
import io.weir.compat.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Callers that come once each. A round is over when Redis, empty before, knows all of them: so what
 * is admitted ahead of it counts only once it has been reported.
 *
 * <p>Confine to one thread.
 */
public final class Newcomers {
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(20);
  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int SAMPLED = 64;

  /**
   * Forgets all callers but not what Redis knows of itself: a loss of that would be reported again.
   */
  private static final String FORGET =
      """
      local own = {['weir:nodes'] = true, ['weir:epoch'] = true, ['weir:neighbours'] = true}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        if not own[key] then redis.call('DEL', key) end
      end
      """;

  private final ThreadGroup group;
  private final Predicate<String> admits;
  private final Predicate<String> admitsAtOnce;
  private final RedisServer server;
  private final LongAdder sampled = new LongAdder();
  private final LongAdder atOnce = new LongAdder();
  private int rounds;

  /**
   * Callers of a limiter.
   *
   * @param group that of the thread that made the limiter, and of no other thread than its own: who
   *     calls it belongs to it as well
   * @param server where it counts, and none else
   */
  public Newcomers(ThreadGroup group, Predicate<String> admits, RedisServer server) {
    this(group, admits, admits, server);
  }

  /**
   * Makes callers, some of which are watched.
   *
   * @param admitsAtOnce admits as well, and returns whether that needed no waiting
   */
  Newcomers(
      ThreadGroup group,
      Predicate<String> admits,
      Predicate<String> admitsAtOnce,
      RedisServer server) {
    this.group = group;
    this.admits = admits;
    this.admitsAtOnce = admitsAtOnce;
    this.server = server;
  }

  /**
   * The results of a round.
   *
   * @param perSecond how many requests a second came and were reported to Redis
   * @param requests how many came
   * @param latencies how long their callers waited
   * @param node what all threads of the limiter did and of those who called it, until a quarter of
   *     a second after the last
   * @param redis what Redis did meanwhile
   */
  public record Round(
      double perSecond, long requests, Latencies latencies, Work node, RedisWork redis) {}

  /** Lets them come from so many threads for so long. */
  public Round round(int threads, long millis) throws Exception {
    forgetAll();
    String series = "caller-" + rounds++ + "-";
    RedisWork redis = RedisWork.of(server);
    Work.Watch others = new Work.Watch(group);
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      callers.add(new Caller(series + i + "-"));
    }
    long begin = System.nanoTime();
    SaturatingLoad.Result result =
        SaturatingLoad.run(group, threads, millis, thread -> callers.get(thread)::ask);
    await(result.requests());
    double perSecond = result.requests() * 1e9 / (System.nanoTime() - begin);
    LockSupport.parkNanos(QUIET);
    Latencies latencies = new Latencies();
    callers.forEach(caller -> latencies.addAll(caller.latencies));
    return new Round(
        perSecond,
        result.requests(),
        latencies,
        result.work().plus(others.sofar()),
        RedisWork.of(server).since(redis));
  }

  /**
   * A debt whose answer was late is reported again, so it may come when its caller is forgotten.
   */
  private void forgetAll() {
    long begin = System.nanoTime();
    do {
      if (System.nanoTime() - begin > LONGEST) {
        throw new IllegalStateException("Redis still gets reports of callers of an earlier round");
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

  /** Returns the percentage that didn't wait for Redis. */
  double atOncePercent() {
    return 100.0 * atOnce.sum() / Math.max(1, sampled.sum());
  }

  /** Begins to count those anew. */
  void forget() {
    sampled.reset();
    atOnce.reset();
  }

  private final class Caller {
    private final Latencies latencies = new Latencies();
    private final String series;
    private int asked;

    Caller(String series) {
      this.series = series;
    }

    boolean ask() {
      String name = series + asked++;
      if (asked % SAMPLED != 0) {
        long begin = System.nanoTime();
        boolean admitted = admits.test(name);
        latencies.add(System.nanoTime() - begin);
        return admitted;
      }
      sampled.increment();
      if (admitsAtOnce.test(name)) {
        atOnce.increment();
      }
      return true;
    }
  }
}
