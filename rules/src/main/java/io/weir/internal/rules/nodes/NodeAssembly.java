package io.weir.internal.rules.nodes;

import io.weir.Ticker;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.outcomes.OutcomeCounters;
import io.weir.rules.Nodes;
import io.weir.rules.outcome.Outcomes;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts together the reporter of this node and the readers of all reports. One Weir with rules is
 * one node, so several in a process are several nodes.
 *
 * <p>Safe for concurrent use.
 */
public final class NodeAssembly implements AutoCloseable {
  public static final Duration USUAL_PAUSE = Duration.ofSeconds(5);

  private final RuleDatabase database;
  private final OutcomeCounters counters;
  private final DatabaseClock clock;
  private final Duration pause;
  private final Ticker ticker;
  private final OwnNode own = new OwnNode();
  private final NodeReader nodes;
  private final StoredOutcomes outcomes;

  /** Guarded by this. */
  private @Nullable NodeReporter reporter;

  /**
   * Reports nothing yet.
   *
   * @param database may be unavailable
   * @param clock gets the database's time with each report
   * @param areHoursRejected returns whether the database rejects sums by hour
   * @param pause the time from the end of a report to the next one
   */
  public NodeAssembly(
      RuleDatabase database,
      OutcomeCounters counters,
      DatabaseClock clock,
      BooleanSupplier areHoursRejected,
      Duration pause,
      Ticker ticker) {
    this.database = database;
    this.counters = counters;
    this.clock = clock;
    this.pause = pause;
    this.ticker = ticker;
    this.nodes = new NodeReader(database, clock, own);
    this.outcomes = new StoredOutcomes(database, nodes, areHoursRejected);
  }

  /**
   * Begins to report this node. Without effect from the second call on: an application that uses
   * the same rules is the same node.
   */
  public synchronized void start(NodeFacts facts) {
    if (reporter == null) {
      reporter = new NodeReporter(database, counters, clock, own, facts, outcomes::publish, ticker);
      reporter.start(pause);
    }
  }

  public Nodes nodes() {
    return nodes;
  }

  public Outcomes outcomes() {
    return outcomes;
  }

  /** Removes this node from the list. Idempotent. */
  @Override
  public synchronized void close() {
    if (reporter != null) {
      reporter.close();
    }
  }
}
