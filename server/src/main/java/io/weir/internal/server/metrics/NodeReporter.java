package io.weir.internal.server.metrics;

import io.weir.internal.threads.DaemonThreads;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.usage.DroppedUsage;
import io.weir.rules.NodeStatus;
import io.weir.rules.Nodes;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Writes every five seconds how this node is, so that the console can add up all nodes. Safe for
 * concurrent use.
 */
public final class NodeReporter implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final String node;
  private final Rules rules;
  private final DecisionTotals totals;
  private final BooleanSupplier isStoreAway;
  private final Instant startedAt = Instant.now();
  private final PeriodicTask task;

  /**
   * Begins to write.
   *
   * @param node what this node is called
   * @param rules the database to write to
   * @param totals what it has decided
   * @param isStoreAway whether the store can't be reached
   */
  public NodeReporter(
      String node, Rules rules, DecisionTotals totals, BooleanSupplier isStoreAway) {
    this.node = node;
    this.rules = rules;
    this.totals = totals;
    this.isStoreAway = isStoreAway;
    this.task = PeriodicTask.start(DaemonThreads.named("weir-node"), Duration.ZERO, EVERY, this::report);
  }

  private void report() {
    try {
      rules.nodes().report(status());
    } catch (RulesUnavailableException away) {
      LOG.log(Level.DEBUG, "this node can't say how it is: " + away.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "this node can't say how it is", mistake);
    }
  }

  private NodeStatus status() {
    DroppedUsage dropped = rules.usage().dropped();
    return new NodeStatus(
        node,
        startedAt,
        Instant.now(),
        totals.admitted(),
        totals.refused(),
        totals.degraded(),
        dropped.requests(),
        isStoreAway.getAsBoolean() ? "open" : "closed",
        totals.storeLatency());
  }

  /** Takes the node off the list, and ends. Idempotent. */
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
      // then it is silent, and left out after a minute
    }
  }
}
