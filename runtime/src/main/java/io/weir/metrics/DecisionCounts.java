package io.weir.metrics;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.spi.DecisionMetrics;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Metrics that need no library: counts of decisions by policy and outcome, how long decisions took,
 * how many buckets are held, and how a store elsewhere answered. For applications that have no
 * Micrometer, and for tests: give it to {@code Weir.builder().metrics(…)} and read it.
 *
 * <p>Safe for concurrent use. A reading is not atomic: it may or may not include decisions made
 * meanwhile.
 */
public final class DecisionCounts implements DecisionMetrics {
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
  private final LongAdder timed = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder storeCalls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final List<LongSupplier> buckets = new CopyOnWriteArrayList<>();

  /** Starts at zero. */
  public DecisionCounts() {}

  @Override
  public void decided(Decision part) {
    tallies.computeIfAbsent(part.policy().name(), name -> new Tally()).add(part);
  }

  @Override
  public void took(long time) {
    timed.increment();
    nanos.add(time);
    longest.accumulate(time);
  }

  @Override
  public void bucketsHeld(LongSupplier held) {
    buckets.add(held);
  }

  @Override
  public void storeExecuted(int claims, long time) {
    exchanges.add(claims);
    storeCalls.increment();
  }

  @Override
  public void storeFailed() {
    failures.increment();
  }

  @Override
  public void limiterClosed(LongSupplier held) {
    buckets.remove(held);
  }

  @Override
  public void close() {
    buckets.clear();
  }

  /**
   * What each policy decided so far.
   *
   * @return counts by the policy's name, in the order of the names
   */
  public Map<String, PolicyCounts> snapshot() {
    Map<String, PolicyCounts> all = new TreeMap<>();
    tallies.forEach((name, tally) -> all.put(name, tally.read()));
    return all;
  }

  /**
   * What one policy decided so far.
   *
   * @param policy its name
   * @return zeros if it never decided
   */
  public PolicyCounts of(String policy) {
    Tally tally = tallies.get(policy);
    return tally == null ? PolicyCounts.NONE : tally.read();
  }

  /**
   * How many decisions were timed.
   *
   * @return a sample of all
   */
  public long timed() {
    return timed.sum();
  }

  /**
   * How long a decision took on average.
   *
   * @return zero if none was timed
   */
  public Duration mean() {
    long count = timed.sum();
    return Duration.ofNanos(count == 0 ? 0 : nanos.sum() / count);
  }

  /**
   * How long the slowest of the timed decisions took.
   *
   * @return zero if none was timed
   */
  public Duration longest() {
    return Duration.ofNanos(longest.get());
  }

  /**
   * How many buckets are held in this process, by all limiters that measure here.
   *
   * @return an estimate; 0 once they are closed
   */
  public long buckets() {
    return buckets.stream().mapToLong(LongSupplier::getAsLong).sum();
  }

  /**
   * How many claims a store elsewhere executed.
   *
   * @return 0 for a store in this process
   */
  public long exchanges() {
    return exchanges.sum();
  }

  /**
   * How many calls a store elsewhere answered, each with any number of claims.
   *
   * @return 0 for a store in this process
   */
  public long storeCalls() {
    return storeCalls.sum();
  }

  /**
   * How many calls of the store failed or took too long.
   *
   * @return 0 if all is well
   */
  public long storeFailures() {
    return failures.sum();
  }

  private static final class Tally {
    private final Map<Outcome, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final LongAdder degraded = new LongAdder();
    private final LongAdder overloaded = new LongAdder();

    void add(Decision part) {
      outcomes.computeIfAbsent(part.outcome(), first -> new LongAdder()).increment();
      if (part.degraded()) {
        degraded.increment();
      }
      if (part.reason() == Reason.REDUCED_CAPACITY) {
        overloaded.increment();
      }
    }

    PolicyCounts read() {
      Map<Outcome, Long> read = new EnumMap<>(Outcome.class);
      outcomes.forEach((outcome, count) -> read.put(outcome, count.sum()));
      return new PolicyCounts(read, degraded.sum(), overloaded.sum());
    }
  }
}
