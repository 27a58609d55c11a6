package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.rules.database.LargeQueries;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.usage.Usage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Records the usage of one node: hands requests to listeners, writes what they collect, and reads
 * it for people.
 *
 * <p>Safe for concurrent use.
 */
public final class UsageRecorder implements UsageListener, AutoCloseable {
  /** The number of users at endpoints that may wait to be written. */
  static final int MAX_WAITING = 200_000;

  private final List<UsageListener> listeners = new CopyOnWriteArrayList<>();
  private final MinuteUsageCounter minutes;
  private final UsageWriter writer;
  private final StoredUsageReader usage;
  private final LargeQueries largeQueries;

  /**
   * Writes nothing until it is started.
   *
   * @param database may be unavailable
   * @param isOn whether usage and violations are collected; other parts are written in any case
   * @param interval the time from the end of a write to the next one
   * @param defaultTier the tier of callers without a row, which sums by tier have
   */
  public UsageRecorder(
      RuleDatabase database,
      boolean isOn,
      Duration interval,
      Supplier<String> defaultTier,
      Ticker ticker) {
    DroppedUsageCounter dropped = new DroppedUsageCounter();
    this.largeQueries = new LargeQueries(database);
    ViolationCollector violations = new ViolationCollector(dropped, ticker);
    this.writer = new UsageWriter(database, interval, ticker);
    this.usage =
        new StoredUsageReader(
            database,
            new UsageSumReader(largeQueries, defaultTier, ticker::instant),
            violations::top,
            dropped);
    this.minutes = new MinuteUsageCounter(MAX_WAITING, isOn ? () -> dropOne(dropped) : () -> {});
    addListener(minutes);
    addPart(minutes); // first: the other parts write what it gathers
    if (isOn) {
      UsageRollup summary = new UsageRollup(dropped, MAX_WAITING);
      addMinuteListener(summary);
      addPart(summary);
      addListener(violations);
      addPart(violations);
    }
  }

  private static void dropOne(DroppedUsageCounter dropped) {
    dropped.requests(1, "more than " + MAX_WAITING + " callers at endpoints between two writes");
  }

  public void addMinuteListener(MinuteUsageListener listener) {
    minutes.addListener(listener);
  }

  public void addListener(UsageListener listener) {
    listeners.add(listener);
  }

  /**
   * Adds a part to be written. Parts are written in the order in which they are added, which must
   * be the same on every node.
   */
  public void addPart(UsageBuffer part) {
    writer.add(part);
  }

  @Override
  public void finished(FinishedRequest request) {
    for (int i = 0; i < listeners.size(); i++) { // no iterator for each request; none is removed
      listeners.get(i).finished(request);
    }
  }

  @Override
  public boolean wants(Decision decision) {
    for (int i = 0; i < listeners.size(); i++) {
      if (listeners.get(i).wants(decision)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the usage of all nodes. */
  public Usage usage() {
    return usage;
  }

  public LargeQueries largeQueries() {
    return largeQueries;
  }

  public void start() {
    writer.start();
  }

  /**
   * Writes what was collected so far, and waits for it.
   *
   * @throws io.weir.rules.problem.RulesUnavailableException if it takes longer
   */
  public void flush(Duration patience) {
    writer.flush(patience);
  }

  /** Writes once more, for at most two seconds. Idempotent. */
  @Override
  public void close() {
    writer.close();
  }
}
