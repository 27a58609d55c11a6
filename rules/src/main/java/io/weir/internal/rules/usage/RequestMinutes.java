package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.writeback.channel.Batch;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts what requests take by user, endpoint and minute, once for all who read it.
 *
 * <p>Bounded: what finds no place is told, and nothing else.
 */
final class RequestMinutes implements UsageListener, UsagePart {
  private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);

  private final Generations<UsageKey, Counters> collected;
  private final Runnable isFull;
  private final List<MinuteReader> readers = new CopyOnWriteArrayList<>();

  /**
   * Counts requests by itself, since each counter apart is a place in memory that no processor has
   * at hand. Most requests take one permit; only what differs from that is counted apart.
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

    MinuteSums sums() {
      long requests = sum();
      long refusals = refused.sum();
      return new MinuteSums(requests, refusals, requests - refusals + furtherPermits.sum());
    }
  }

  /**
   * Counts nothing before somebody reads it.
   *
   * @param most how many users at endpoints have a place between two writes
   * @param isFull called for each request that finds no place
   */
  RequestMinutes(int most, Runnable isFull) {
    this.collected = new Generations<>(most, Counters::new);
    this.isFull = isFull;
  }

  void read(MinuteReader reader) {
    readers.add(reader);
  }

  @Override
  public boolean wants(Decision decision) {
    return !readers.isEmpty();
  }

  @Override
  public void finished(FinishedRequest request) {
    if (readers.isEmpty()) {
      return;
    }
    UsageKey key =
        new UsageKey(request.userId(), request.endpoint(), request.micros() / MINUTE_MICROS);
    Decision decision = request.decision();
    long taken = taken(decision);
    if (!collected.add(key, counters -> counters.add(decision, taken))) {
      isFull.run();
    }
  }

  /**
   * Policies that hold together take the same permits out of several buckets; some give them back.
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
        .forEach(this::hand);
  }

  private void hand(Map.Entry<UsageKey, Counters> minute) {
    MinuteSums sums = minute.getValue().sums();
    for (MinuteReader each : readers) {
      each.keep(minute.getKey(), sums);
    }
  }

  @Override
  public Optional<Batch> drain(int most) {
    return Optional.empty();
  }

  @Override
  public void forget(Predicate<String> isForgotten) {}
}
