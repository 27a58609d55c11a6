package io.weir.metrics;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.RegionStatus;
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
import java.util.function.Supplier;

/**
 * Measures without any library: decisions by policy and outcome, the time that they take, buckets
 * in this process, calls of a remote store, and what this node knows of regions. For applications
 * without Micrometer, and for tests: give it to {@code Weir.builder().metrics(…)} and read it.
 *
 * <p>Safe for concurrent use. A reading is not atomic: it may or may not include decisions made
 * meanwhile.
 */
public final class DecisionCounts implements DecisionMetrics {
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> strikes = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> bans = new ConcurrentHashMap<>();
  private final LongAdder timed = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder storeCalls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final List<LongSupplier> buckets = new CopyOnWriteArrayList<>();
  private final List<Supplier<List<RegionStatus>>> regions = new CopyOnWriteArrayList<>();

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
  public void struck(String policy) {
    strikes.computeIfAbsent(policy, first -> new LongAdder()).increment();
  }

  @Override
  public void banned(String policy, boolean isShadow) {
    bans.computeIfAbsent(policy, first -> new LongAdder()).increment();
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
  public void regions(Supplier<List<RegionStatus>> status) {
    regions.add(status);
  }

  @Override
  public void regionsClosed(Supplier<List<RegionStatus>> status) {
    regions.remove(status);
  }

  @Override
  public void close() {
    buckets.clear();
    regions.clear();
  }

  /**
   * Returns the decisions of all policies so far.
   *
   * @return counts by the name of the policy, in the order of the names
   */
  public Map<String, PolicyCounts> snapshot() {
    Map<String, PolicyCounts> all = new TreeMap<>();
    tallies.forEach((name, tally) -> all.put(name, tally.read()));
    return all;
  }

  /**
   * Returns the decisions of one policy so far.
   *
   * @param policy its name
   * @return the counts; all 0 if it hasn't decided yet
   */
  public PolicyCounts of(String policy) {
    Tally tally = tallies.get(policy);
    return tally == null ? PolicyCounts.NONE : tally.read();
  }

  /**
   * Returns the strikes that callers of one policy got so far.
   *
   * @param policy its name
   * @return 0 and more
   */
  public long strikes(String policy) {
    return strikes.getOrDefault(policy, new LongAdder()).sum();
  }

  /**
   * Returns the bans that one policy made so far on this node, those in shadow mode as well.
   *
   * @param policy its name
   * @return 0 and more
   */
  public long bans(String policy) {
    return bans.getOrDefault(policy, new LongAdder()).sum();
  }

  /**
   * Returns the number of timed decisions.
   *
   * @return 0 and more; only a sample of all decisions is timed
   */
  public long timed() {
    return timed.sum();
  }

  /**
   * Returns the average time of the timed decisions.
   *
   * @return zero if none was timed
   */
  public Duration mean() {
    long count = timed.sum();
    return Duration.ofNanos(count == 0 ? 0 : nanos.sum() / count);
  }

  /**
   * Returns the time of the slowest timed decision.
   *
   * @return zero if none was timed
   */
  public Duration longest() {
    return Duration.ofNanos(longest.get());
  }

  /**
   * Returns the number of buckets in this process, of all limiters that measure here.
   *
   * @return an estimate; 0 once they are closed
   */
  public long buckets() {
    return buckets.stream().mapToLong(LongSupplier::getAsLong).sum();
  }

  /**
   * Returns the regions that report to each other, as this node sees them: how long ago they
   * answered and reported, permits that they haven't been sent, and permits dropped.
   *
   * @return the regions of each Weir that measures here, its own one first; empty without regions,
   *     where they have shares, and once these are closed
   */
  public List<RegionStatus> regions() {
    return regions.stream().flatMap(each -> each.get().stream()).toList();
  }

  /**
   * Returns the number of claims that a remote store executed.
   *
   * @return 0 for a store in this process
   */
  public long exchanges() {
    return exchanges.sum();
  }

  /**
   * Returns the number of calls that a remote store answered, each with any number of claims.
   *
   * @return 0 for a store in this process
   */
  public long storeCalls() {
    return storeCalls.sum();
  }

  /**
   * Returns the number of store calls that failed or timed out.
   *
   * @return 0 and more
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
