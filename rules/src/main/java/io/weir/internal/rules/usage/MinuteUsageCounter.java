package io.weir.internal.rules.usage;

import io.weir.Decision;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts requests and permits by user, endpoint and minute, once for all listeners.
 *
 * <p>Bounded: requests beyond the capacity are only reported.
 */
final class MinuteUsageCounter implements UsageListener, UsageBuffer {
  private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final SwappedCounters<UsageKey, Counters> collected;
  private final Runnable onOverflow;
  private final List<MinuteUsageListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Is itself the counter of requests, since each further object costs a cache miss. Most requests
   * take one permit, so only further permits have a counter of their own.
   */
  private static final class Counters extends LongAdder {
    private final LongAdder refused = new LongAdder();
    private final LongAdder furtherPermits = new LongAdder();

    void add(Decision decision, long taken) {
      increment();
      if (!decision.admitted()) {
        refused.increment();
      } else if (taken != 1) {
        furtherPermits.add(taken - 1);
      }
    }

    MinuteUsage sums() {
      long requests = sum();
      long refusals = refused.sum();
      return new MinuteUsage(requests, refusals, requests - refusals + furtherPermits.sum());
    }
  }

  /**
   * Counts nothing before a listener is added.
   *
   * @param capacity the number of users at endpoints between two writes
   * @param onOverflow runs for each request beyond the capacity
   */
  MinuteUsageCounter(int capacity, Runnable onOverflow) {
    this.collected = new SwappedCounters<>(capacity, Counters::new);
    this.onOverflow = onOverflow;
  }

  void addListener(MinuteUsageListener listener) {
    listeners.add(listener);
  }

  @Override
  public boolean wants(Decision decision) {
    return !listeners.isEmpty();
  }

  @Override
  public void finished(FinishedRequest request) {
    if (listeners.isEmpty()) {
      return;
    }
    UsageKey key =
        new UsageKey(request.userId(), request.endpoint(), request.micros() / MINUTE_MICROS);
    Decision decision = request.decision();
    long taken = taken(decision);
    if (!collected.add(key, counters -> counters.add(decision, taken))) {
      onOverflow.run();
    }
  }

  /**
   * Returns the permits of the policy that took the most, without refunded ones: policies of one
   * request take the same permits from several buckets.
   */
  private static long taken(Decision decision) {
    List<Decision> parts = decision.parts();
    long taken = 0;
    for (int i = 0; i < parts.size(); i++) {
      Decision part = parts.get(i);
      if (!part.refunded()) {
        taken = Math.max(taken, part.permits());
      }
    }
    return taken;
  }

  @Override
  public void gather() {
    collected.take().entrySet().stream()
        .sorted(Comparator.comparingLong(each -> each.getKey().time()))
        .forEach(this::report);
  }

  private void report(Map.Entry<UsageKey, Counters> minute) {
    MinuteUsage sums = minute.getValue().sums();
    for (MinuteUsageListener each : listeners) {
      each.add(minute.getKey(), sums);
    }
  }

  @Override
  public Optional<RowBatch> drain(int most) {
    return Optional.empty();
  }

  @Override
  public void forget(Predicate<String> isForgotten) {}
}
