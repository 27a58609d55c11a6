package io.weir.rules;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Lists the nodes of the decision service that share this database. Each reports its status every
 * few seconds.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface Nodes {
  /**
   * Reports the status of a node, in place of its last report.
   *
   * @param status the status; its {@link NodeStatus#seenAt()} is ignored
   */
  void report(NodeStatus status);

  /**
   * Removes a node that stops.
   *
   * @param node its name
   */
  void leave(String node);

  /**
   * Returns the nodes that have reported within the last minute.
   *
   * @return sorted by name
   */
  List<NodeStatus> current();
}
