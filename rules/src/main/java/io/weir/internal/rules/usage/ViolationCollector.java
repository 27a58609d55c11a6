package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.rules.usage.RefusedCaller;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts refusals by caller, endpoint and policy, for the rows of violations and for the list of
 * callers refused most.
 *
 * <p>Of unknown callers, a write has only the busiest, by their addresses; all others together are
 * one row for each endpoint and policy.
 */
final class ViolationCollector implements UsageListener, UsageBuffer {
  /** The number of unknown callers that have rows of their own in one write. */
  static final int MAX_OTHERS = 1_000;

  /** The number of known callers that may wait to be written. */
  private static final int MAX_KNOWN = 50_000;

  /** The number of addresses of which the busiest are picked. */
  private static final int MAX_ADDRESSES = 20_000;

  private static final int SKETCH_SIZE = 1_000;

  private final DroppedUsageCounter dropped;
  private final Ticker ticker;
  private final ViolationWriter rows = new ViolationWriter();
  private final SwappedCounters<ViolationKey, Counter> known =
      new SwappedCounters<>(MAX_KNOWN, Counter::new);
  private final SwappedCounters<ViolationKey, Counter> others =
      new SwappedCounters<>(MAX_ADDRESSES, Counter::new);
  private final MostRefusedCallers mostRefused = new MostRefusedCallers(SKETCH_SIZE);

  /** Writer's thread only. */
  private final Map<ViolationKey, RefusalCount> waitingKnown = new HashMap<>();

  /** Writer's thread only. */
  private final Map<ViolationKey, RefusalCount> waitingOthers = new HashMap<>();

  private static final class Counter {
    private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAdder number = new LongAdder();

    void add(long micros) {
      first.accumulate(micros);
      number.increment();
    }

    RefusalCount read() {
      return new RefusalCount(first.get(), number.sum());
    }
  }

  ViolationCollector(DroppedUsageCounter dropped, Ticker ticker) {
    this.dropped = dropped;
    this.ticker = ticker;
  }

  @Override
  public boolean wants(Decision decision) {
    return !decision.admitted();
  }

  @Override
  public void finished(FinishedRequest request) {
    if (request.decision().admitted()) {
      return;
    }
    boolean isAddress = !request.isKnown() && !request.address().isEmpty();
    ViolationKey key =
        new ViolationKey(
            isAddress ? FinishedRequest.ADDRESS + request.address() : request.userId(),
            request.endpoint(),
            request.decision().policy().name());
    boolean isAdded =
        isAddress
            ? add(others, key, request) || add(known, key.ofOthers(), request)
            : add(known, key, request);
    if (!isAdded) {
      dropped.refusals(1, "more than " + MAX_KNOWN + " callers refused between two writes");
    }
  }

  private static boolean add(
      SwappedCounters<ViolationKey, Counter> to, ViolationKey key, FinishedRequest request) {
    long micros = request.micros();
    return to.add(key, counter -> counter.add(micros));
  }

  @Override
  public void gather() {
    long hour = TimeUnit.SECONDS.toHours(ticker.instant().getEpochSecond());
    known
        .take()
        .forEach(
            (key, counter) -> {
              RefusalCount read = counter.read();
              if (!key.caller().equals(FinishedRequest.OTHERS)) {
                mostRefused.add(key.caller(), read.number(), hour);
              }
              keep(key, read);
            });
    others
        .take()
        .forEach(
            (key, counter) -> {
              RefusalCount read = counter.read();
              mostRefused.add(key.caller(), read.number(), hour);
              keepAddress(key, read);
            });
  }

  private void keep(ViolationKey key, RefusalCount refusals) {
    if (waitingKnown.size() >= MAX_KNOWN && !waitingKnown.containsKey(key)) {
      dropped.refusals(refusals.number(), "the database is unavailable or too slow");
    } else {
      waitingKnown.merge(key, refusals, RefusalCount::plus);
    }
  }

  private void keepAddress(ViolationKey key, RefusalCount refusals) {
    if (waitingOthers.size() >= MAX_ADDRESSES && !waitingOthers.containsKey(key)) {
      keep(key.ofOthers(), refusals);
    } else {
      waitingOthers.merge(key, refusals, RefusalCount::plus);
    }
  }

  @Override
  public Optional<RowBatch> drain(int most) {
    Map<ViolationKey, RefusalCount> batch = new TreeMap<>(busiestOthers());
    batch.replaceAll((key, refusals) -> plus(refusals, waitingKnown.remove(key)));
    Iterator<Map.Entry<ViolationKey, RefusalCount>> all = waitingKnown.entrySet().iterator();
    while (all.hasNext() && batch.size() < most) {
      Map.Entry<ViolationKey, RefusalCount> each = all.next();
      batch.merge(each.getKey(), each.getValue(), RefusalCount::plus);
      all.remove();
    }
    return new TakenRows<>(
            batch,
            !waitingKnown.isEmpty(),
            rows::write,
            this::keepAgain,
            (key, lost) -> dropped.refusals(lost.number()))
        .unlessEmpty();
  }

  private void keepAgain(ViolationKey key, RefusalCount refusals) {
    if (key.caller().startsWith(FinishedRequest.ADDRESS)) {
      keepAddress(key, refusals);
    } else {
      keep(key, refusals);
    }
  }

  private static RefusalCount plus(RefusalCount refusals, @Nullable RefusalCount more) {
    return more == null ? refusals : refusals.plus(more);
  }

  private Map<ViolationKey, RefusalCount> busiestOthers() {
    List<Map.Entry<ViolationKey, RefusalCount>> sorted =
        waitingOthers.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<ViolationKey, RefusalCount> each) -> each.getValue().number())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    Map<ViolationKey, RefusalCount> busiest = new HashMap<>();
    for (Map.Entry<ViolationKey, RefusalCount> each : sorted) {
      ViolationKey key = busiest.size() < MAX_OTHERS ? each.getKey() : each.getKey().ofOthers();
      busiest.merge(key, each.getValue(), RefusalCount::plus);
    }
    waitingOthers.clear();
    return busiest;
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    waitingKnown.keySet().removeIf(key -> isForgotten.test(key.caller()));
    waitingOthers.keySet().removeIf(key -> isForgotten.test(key.caller()));
    mostRefused.removeIf(isForgotten);
  }

  List<RefusedCaller> top(int most) {
    return mostRefused.top(most, TimeUnit.SECONDS.toHours(ticker.instant().getEpochSecond()));
  }
}
