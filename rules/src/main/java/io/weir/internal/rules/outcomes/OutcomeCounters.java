package io.weir.internal.rules.outcomes;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.rules.outcome.HourlyOutcomes;
import io.weir.spi.DecisionMetrics;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the decisions of this node by policy and outcome, and the exchanges with the store, since
 * the start. Policies of one name, such as a rule before and after a change, are counted together.
 *
 * <p>A decision costs a look into a table of fixed size by the policy's identity, and one or two
 * increments. Bounded: policies beyond the first 10,000 names are counted together.
 *
 * <p>Safe for concurrent use.
 */
public final class OutcomeCounters implements DecisionMetrics {
  static final int MAX_POLICIES = 10_000;

  private static final int SETS = 2_048;
  private static final int UPPER_BITS = 16;

  private final int maxPolicies;

  /**
   * The counters of recent policies: two places for all policies of one hash, so that two busy ones
   * don't displace each other.
   */
  private final AtomicReferenceArray<OutcomeCounter.@Nullable OfPolicy> table =
      new AtomicReferenceArray<>(2 * SETS);

  private final Map<String, OutcomeCounter> counters = new ConcurrentHashMap<>();
  private final OutcomeCounter others = new OutcomeCounter(HourlyOutcomes.OTHERS);
  private final LongAdder exchanges = new LongAdder();
  private final LongAdder storeCalls = new LongAdder();
  private final LongAdder storeNanos = new LongAdder();

  public OutcomeCounters() {
    this(MAX_POLICIES);
  }

  OutcomeCounters(int maxPolicies) {
    this.maxPolicies = maxPolicies;
  }

  @Override
  public void decided(Decision part) {
    counter(part.policy()).add(part);
  }

  // By identity, since that needs no hash of a name. An equal policy takes the longer way.
  @SuppressWarnings("ReferenceEquality")
  private OutcomeCounter counter(Policy policy) {
    int hash = System.identityHashCode(policy);
    int index = 2 * ((hash ^ hash >>> UPPER_BITS) & (SETS - 1));
    OutcomeCounter.OfPolicy first = table.getAcquire(index);
    if (first != null && first.policy() == policy) {
      return first.counter();
    }
    OutcomeCounter.OfPolicy second = table.getAcquire(index + 1);
    if (second != null && second.policy() == policy) {
      return second.counter();
    }
    OutcomeCounter.OfPolicy found = byName(policy.name()).of(policy);
    table.setRelease(index + 1, first);
    table.setRelease(index, found);
    return found.counter();
  }

  private OutcomeCounter byName(String policy) {
    OutcomeCounter known = counters.get(policy);
    return known == null ? first(policy) : known;
  }

  private synchronized OutcomeCounter first(String policy) {
    return counters.size() < maxPolicies
        ? counters.computeIfAbsent(policy, OutcomeCounter::new)
        : counters.getOrDefault(policy, others);
  }

  @Override
  public void took(long nanos) {}

  @Override
  public boolean isTimed() {
    return false;
  }

  @Override
  public void bucketsHeld(LongSupplier held) {}

  @Override
  public void limiterClosed(LongSupplier held) {}

  @Override
  public void storeExecuted(int claims, long nanos) {
    exchanges.add(claims);
    storeCalls.increment();
    storeNanos.add(nanos);
  }

  /** Returns the counters of the policies that have decided so far. */
  Collection<OutcomeCounter> all() {
    return counters.values();
  }

  /** Returns the counter of all policies for which there was no room. */
  OutcomeCounter others() {
    return others;
  }

  /** Returns the number of claims that a shared store has executed; 0 for one in this process. */
  public long exchanges() {
    return exchanges.sum();
  }

  /** Returns the number of calls that a shared store has answered; 0 for one in this process. */
  public long storeCalls() {
    return storeCalls.sum();
  }

  /** Returns the nanoseconds that the store's answers have taken in all. */
  public long storeNanos() {
    return storeNanos.sum();
  }
}
