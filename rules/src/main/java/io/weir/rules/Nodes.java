package io.weir.rules;

import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Lists the nodes that share this database: servers of the decision service, and applications with
 * rules. Each reports its status every five seconds, from the start of the application until it is
 * closed.
 *
 * <p>Reads the database in the calling thread, and throws {@link RulesUnavailableException} if it
 * is unavailable. Safe for concurrent use.
 */
public interface Nodes {
  /**
   * Returns the nodes that have reported within the last minute. Has this node also if it may not
   * write its reports.
   *
   * @return sorted by name
   */
  List<NodeStatus> current();
}
