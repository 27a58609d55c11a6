package io.weir.internal.rules.maintenance;

/**
 * Says whether this node is the leader, which does the work that one node does for all: it purges
 * old rows and looks for anomalies. The database elects the leader; when that node ends, another
 * one takes over within half a minute.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface Leadership {
  /**
   * Returns whether this node is the leader at the moment. Doesn't read the database.
   *
   * @return false as soon as another node may be the leader, also while the database is unavailable
   */
  boolean isLeader();
}
