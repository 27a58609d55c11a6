package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.writeback.channel.Batch;
import io.weir.rules.RefusedCaller;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
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

/**
 * Counts refusals by caller, endpoint and policy, for the rows of violations and for those who are
 * refused most.
 *
 * <p>Of callers that aren't known a write has the busiest only, by their addresses; all others are
 * one row for each endpoint and policy.
 */
final class ViolationCollector implements UsageListener, UsagePart {
  /** Of callers that aren't known, how many are told apart in one write. */
  static final int MOST_OTHERS = 1_000;

  /** How many callers that are known may wait to be written. */
  private static final int MOST_KNOWN = 50_000;

  /** From how many addresses the busiest are picked. */
  private static final int MOST_ADDRESSES = 20_000;

  private static final int PLACES = 1_000;

  private final DroppedCounts dropped;
  private final InstantSource clock;
  private final ViolationRows rows = new ViolationRows();
  private final Generations<ViolationKey, Counter> known =
      new Generations<>(MOST_KNOWN, Counter::new);
  private final Generations<ViolationKey, Counter> others =
      new Generations<>(MOST_ADDRESSES, Counter::new);
  private final RefusalSketch sketch = new RefusalSketch(PLACES);

  /** Of the writer's thread, like the one below. */
  private final Map<ViolationKey, Refusals> waitingKnown = new HashMap<>();

  private final Map<ViolationKey, Refusals> waitingOthers = new HashMap<>();

  private static final class Counter {
    private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAdder number = new LongAdder();

    void add(long micros) {
      first.accumulate(micros);
      number.increment();
    }

    Refusals read() {
      return new Refusals(first.get(), number.sum());
    }
  }

  ViolationCollector(DroppedCounts dropped, InstantSource clock) {
    this.dropped = dropped;
    this.clock = clock;
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
      dropped.refusals(1, "more than " + MOST_KNOWN + " callers refused between two writes");
    }
  }

  private static boolean add(
      Generations<ViolationKey, Counter> to, ViolationKey key, FinishedRequest request) {
    long micros = request.micros();
    return to.add(key, counter -> counter.add(micros));
  }

  @Override
  public void gather() {
    long hour = TimeUnit.SECONDS.toHours(clock.instant().getEpochSecond());
    known
        .take()
        .forEach(
            (key, counter) -> {
              Refusals read = counter.read();
              if (!key.caller().equals(FinishedRequest.OTHERS)) {
                sketch.add(key.caller(), read.number(), hour);
              }
              keep(key, read);
            });
    others
        .take()
        .forEach(
            (key, counter) -> {
              Refusals read = counter.read();
              sketch.add(key.caller(), read.number(), hour);
              keepAddress(key, read);
            });
  }

  private void keep(ViolationKey key, Refusals refusals) {
    if (waitingKnown.size() >= MOST_KNOWN && !waitingKnown.containsKey(key)) {
      dropped.refusals(refusals.number(), "the database is away, or too slow");
    } else {
      waitingKnown.merge(key, refusals, Refusals::and);
    }
  }

  private void keepAddress(ViolationKey key, Refusals refusals) {
    if (waitingOthers.size() >= MOST_ADDRESSES && !waitingOthers.containsKey(key)) {
      keep(key.ofOthers(), refusals);
    } else {
      waitingOthers.merge(key, refusals, Refusals::and);
    }
  }

  @Override
  public Optional<Batch> drain(int most) {
    Map<ViolationKey, Refusals> batch = new TreeMap<>(busiestOthers());
    Iterator<Map.Entry<ViolationKey, Refusals>> all = waitingKnown.entrySet().iterator();
    while (all.hasNext() && batch.size() < most) {
      Map.Entry<ViolationKey, Refusals> each = all.next();
      batch.merge(each.getKey(), each.getValue(), Refusals::and);
      all.remove();
    }
    return batch.isEmpty()
        ? Optional.empty()
        : Optional.of(new Drained(batch, !waitingKnown.isEmpty()));
  }

  private Map<ViolationKey, Refusals> busiestOthers() {
    List<Map.Entry<ViolationKey, Refusals>> sorted =
        waitingOthers.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<ViolationKey, Refusals> each) -> each.getValue().number())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    Map<ViolationKey, Refusals> busiest = new HashMap<>();
    for (Map.Entry<ViolationKey, Refusals> each : sorted) {
      ViolationKey key = busiest.size() < MOST_OTHERS ? each.getKey() : each.getKey().ofOthers();
      busiest.merge(key, each.getValue(), Refusals::and);
    }
    waitingOthers.clear();
    return busiest;
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    waitingKnown.keySet().removeIf(key -> isForgotten.test(key.caller()));
    waitingOthers.keySet().removeIf(key -> isForgotten.test(key.caller()));
    sketch.removeIf(isForgotten);
  }

  List<RefusedCaller> top(int most) {
    return sketch.top(most, TimeUnit.SECONDS.toHours(clock.instant().getEpochSecond()));
  }

  /** Some rows. */
  private final class Drained implements Batch {
    private final Map<ViolationKey, Refusals> batch;
    private final boolean isMore;

    Drained(Map<ViolationKey, Refusals> batch, boolean isMore) {
      this.batch = batch;
      this.isMore = isMore;
    }

    @Override
    public void write(Connection connection, Dialect dialect) throws SQLException {
      rows.write(connection, batch);
    }

    @Override
    public void written() {}

    @Override
    public void failed(boolean isLost) {
      batch.forEach(
          (key, refusals) -> {
            if (isLost) {
              dropped.refusals(refusals.number());
            } else if (key.caller().startsWith(FinishedRequest.ADDRESS)) {
              keepAddress(key, refusals);
            } else {
              keep(key, refusals);
            }
          });
    }

    @Override
    public boolean isMore() {
      return isMore;
    }
  }
}
