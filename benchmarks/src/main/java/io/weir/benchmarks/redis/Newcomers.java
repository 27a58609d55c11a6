package io.weir.benchmarks.redis;

import io.weir.benchmarks.Latencies;
import io.weir.benchmarks.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Callers that come once each. A round is over when the store, empty before, knows all of them: so
 * what is admitted ahead of it counts only once it has been reported.
 *
 * <p>Confine to one thread.
 */
public final class Newcomers {
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(20);
  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int SAMPLED = 64;

  private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

  /** More than what is left of a round's requests takes when their time is over. */
  private static final long SPARE = TimeUnit.SECONDS.toMillis(3);

  private final ThreadGroup group;
  private final Predicate<String> admits;
  private final Predicate<String> admitsAtOnce;
  private final CallerStore store;
  private final LongAdder sampled = new LongAdder();
  private final LongAdder atOnce = new LongAdder();
  private int rounds;

  /**
   * Callers of a limiter.
   *
   * @param group that of the thread that made the limiter, and of no other thread than its own: the
   *     threads that call it belong to it as well
   * @param store where it counts, and none else
   */
  public Newcomers(ThreadGroup group, Predicate<String> admits, CallerStore store) {
    this(group, admits, admits, store);
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
      CallerStore store) {
    this.group = group;
    this.admits = admits;
    this.admitsAtOnce = admitsAtOnce;
    this.store = store;
  }

  /**
   * The results of a round.
   *
   * @param perSecond how many requests a second came and were reported to the store
   * @param requests how many came
   * @param latencies how long their callers waited
   * @param node what all threads of the limiter did, and those that called it, until a quarter of a
   *     second after the last
   * @param storeNanos the processor time of the store meanwhile
   */
  public record Round(
      double perSecond, long requests, Latencies latencies, Work node, long storeNanos) {}

  /** Lets them come from so many threads for so long. */
  public Round round(int threads, long millis) throws Exception {
    forgetAll();
    awaitRoom(millis);
    String series = "caller-" + rounds++ + "-";
    long cpuBefore = store.cpuNanos();
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
        store.cpuNanos() - cpuBefore);
  }

  /**
   * A debt whose answer was late is reported again, so it may come when its caller is forgotten.
   */
  private void forgetAll() {
    long begin = System.nanoTime();
    do {
      if (System.nanoTime() - begin > LONGEST) {
        throw new IllegalStateException("callers of an earlier round are still reported");
      }
      store.forgetCallers();
      LockSupport.parkNanos(QUIET);
    } while (store.callers() > 0);
  }

  /** The store forgets buckets of a fixed window when the window ends, with the minute. */
  private static void awaitRoom(long millis) {
    long left = MINUTE - System.currentTimeMillis() % MINUTE;
    if (left < millis + SPARE) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
    }
  }

  private void await(long callers) {
    long begin = System.nanoTime();
    long known = store.callers();
    while (known != callers) {
      if (known > callers || System.nanoTime() - begin > LONGEST) {
        throw new IllegalStateException(callers + " came, the store knows of " + known);
      }
      LockSupport.parkNanos(100_000);
      known = store.callers();
    }
  }

  /** Returns the percentage that didn't wait for the store. */
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
