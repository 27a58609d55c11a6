package io.weir.internal.rules.usage;

import io.weir.Decision;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.usage.Usage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Usage of one node: who is told of requests, the one who writes, and what can be read.
 *
 * <p>Safe for concurrent use.
 */
public final class UsageRecorder implements UsageListener, AutoCloseable {
  /** How many users at endpoints may wait to be written. */
  static final int MOST = 200_000;

  private final List<UsageListener> listeners = new CopyOnWriteArrayList<>();
  private final MinuteCounts minutes;
  private final UsageWriter writer;
  private final StoredUsage usage;

  /**
   * Writes nothing until it is started.
   *
   * @param database may be away
   * @param isOn whether usage and violations are collected; what other rooms add is in any case
   * @param interval how long after a write the next one begins
   * @param clock says which hour it is
   */
  public UsageRecorder(RuleDatabase database, boolean isOn, Duration interval, InstantSource clock) {
    DroppedCounts dropped = new DroppedCounts();
    ViolationCollector violations = new ViolationCollector(dropped, clock);
    this.writer = new UsageWriter(database, interval);
    this.usage = new StoredUsage(database, violations::top, dropped);
    this.minutes = new MinuteCounts(MOST, isOn ? () -> tellFull(dropped) : () -> {});
    tell(minutes);
    write(minutes); // first: it hands to the others what they write
    if (isOn) {
      UsageSummary summary = new UsageSummary(dropped, MOST);
      readMinutes(summary);
      write(summary);
      tell(violations);
      write(violations);
    }
  }

  private static void tellFull(DroppedCounts dropped) {
    dropped.requests(1, "more than " + MOST + " callers at endpoints between two writes");
  }

  /**
   * Has somebody handed the minutes of all callers.
   *
   * @param reader whom
   */
  public void readMinutes(MinuteListener reader) {
    minutes.read(reader);
  }

  /**
   * Has somebody told of requests too.
   *
   * @param listener whom
   */
  public void tell(UsageListener listener) {
    listeners.add(listener);
  }

  /**
   * Has a part of another room written too: in the order in which they are added, which must be the
   * same on every node.
   *
   * @param part the part
   */
  public void write(UsagePart part) {
    writer.add(part);
  }

  @Override
  public void finished(FinishedRequest request) {
    for (UsageListener each : listeners) {
      each.finished(request);
    }
  }

  @Override
  public boolean wants(Decision decision) {
    for (UsageListener each : listeners) {
      if (each.wants(decision)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What can be read.
   *
   * @return always the same
   */
  public Usage usage() {
    return usage;
  }

  /** Begins to write. */
  public void start() {
    writer.start();
  }

  /**
   * Writes what is there now, and waits for it.
   *
   * @param patience how long at most
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
