package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.rules.NodeStatus;
import io.weir.rules.Nodes;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the last reports of all nodes, and that of this node from memory where it can't be written.
 *
 * <p>Safe for concurrent use.
 */
final class NodeReader implements Nodes {
  private final RuleDatabase database;
  private final DatabaseClock clock;
  private final OwnNode own;

  NodeReader(RuleDatabase database, DatabaseClock clock, OwnNode own) {
    this.database = database;
    this.clock = clock;
    this.own = own;
  }

  /**
   * Holds the last reports of the nodes that have reported within the last minute.
   *
   * @param at when they were read, by the database's clock
   * @param reports sorted by name
   */
  record NodeReports(Instant at, List<NodeReport> reports) {}

  /**
   * Reads the reports.
   *
   * @return that of this node alone if the table may not be read, or is missing
   * @throws RulesUnavailableException if the database is unavailable
   */
  NodeReports read() {
    NodeReports written = written();
    Optional<NodeReport> unwritten = own.unwritten();
    if (unwritten.isEmpty()) {
      return written;
    }
    List<NodeReport> all = new ArrayList<>(written.reports);
    all.removeIf(each -> each.status().node().equals(unwritten.get().status().node()));
    all.add(unwritten.get());
    all.sort(Comparator.comparing(each -> each.status().node()));
    return new NodeReports(written.at, all);
  }

  @Override
  public List<NodeStatus> current() {
    return read().reports.stream().map(NodeReport::status).toList();
  }

  private NodeReports written() {
    try {
      return database.inTransaction(
          NodeTable.NAME + " can't be read",
          connection ->
              new NodeReports(DatabaseClock.read(connection), NodeTable.recent(connection)));
    } catch (RulesUnavailableException refused) {
      if (!NodeTable.isRefused(refused)) {
        throw refused;
      }
      return new NodeReports(clock.now(), List.of());
    }
  }
}
