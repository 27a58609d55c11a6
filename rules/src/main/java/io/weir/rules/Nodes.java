package io.weir.rules;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * The servers of the service that share this database. Each says every few seconds how it is.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface Nodes {
  /**
   * Says how a node is, in place of what it said before.
   *
   * @param status the node; {@link NodeStatus#seenAt()} is now, whatever it says
   */
  void report(NodeStatus status);

  /**
   * Removes a node, which ends.
   *
   * @param node its name
   */
  void leave(String node);

  /**
   * Those that have said how they are within the last minute.
   *
   * @return by their names
   */
  List<NodeStatus> current();
}
