package io.weir.internal.rules.maintenance;

/**
 * What one node does for all: purging what is old, looking for anomalies. The database says which;
 * when that node ends, another one takes over within half a minute.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface Leadership {
  /**
   * Whether this node has it at the moment.
   *
   * @return false as soon as it may have passed on to another node, also while the database is
   *     away; asks no database
   */
  boolean isMine();
}
