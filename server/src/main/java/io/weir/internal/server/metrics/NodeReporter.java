package io.weir.internal.server.metrics;

import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.NodeStatus;
import io.weir.rules.Nodes;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.usage.DroppedUsage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Writes the status of this node to the database every five seconds, so that the console can add up
 * all nodes. Safe for concurrent use.
 */
public final class NodeReporter implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final String node;
  private final Rules rules;
  private final DecisionTotals totals;
  private final BooleanSupplier isStoreAway;
  private final Ticker ticker;
  private final Instant startedAt;
  private final PeriodicTask task;

  /**
   * Starts to write.
   *
   * @param node the name of this node
   * @param rules the database
   * @param totals the decisions of this node
   * @param isStoreAway returns whether the store can't be reached
   * @param ticker the source of time
   */
  public NodeReporter(
      String node, Rules rules, DecisionTotals totals, BooleanSupplier isStoreAway, Ticker ticker) {
    this.node = node;
    this.rules = rules;
    this.totals = totals;
    this.isStoreAway = isStoreAway;
    this.ticker = ticker;
    this.startedAt = ticker.instant();
    this.task =
        PeriodicTask.start(
            DaemonThreadFactory.named("weir-node"), Duration.ZERO, EVERY, this::report);
  }

  private void report() {
    try {
      rules.nodes().report(status());
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "the status of this node can't be written: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "the status of this node can't be written", mistake);
    }
  }

  private NodeStatus status() {
    DroppedUsage dropped = rules.usage().dropped();
    return new NodeStatus(
        node,
        startedAt,
        ticker.instant(),
        totals.admitted(),
        totals.refused(),
        totals.degraded(),
        dropped.requests(),
        isStoreAway.getAsBoolean() ? "open" : "closed",
        totals.storeLatency());
  }

  /** Removes the node from the list, and ends. Idempotent. */
  @Override
  public void close() {
    if (task.isClosed()) {
      return;
    }
    task.close();
    Nodes nodes = rules.nodes();
    try {
      nodes.leave(node);
    } catch (RulesUnavailableException away) {
      // it is dropped from the list after a minute without reports
    }
  }
}
