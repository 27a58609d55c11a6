package io.weir.internal.rules.database;

import java.util.Set;

/**
 * How far a node has read {@code rule_changes}: numbers are given when a change begins, so a smaller
 * one may come after a larger one, as long as its transaction may be open.
 *
 * @param newest the largest number read
 * @param missing smaller numbers that may still come
 * @param token what the database needs to tell for how long; empty where it goes by time
 */
public record ChangePosition(long newest, Set<Long> missing, String token) {
  /**
   * Takes the numbers as they are.
   *
   * @param newest see the record
   * @param missing see the record
   * @param token see the record
   */
  public ChangePosition {
    missing = Set.copyOf(missing);
  }
}
