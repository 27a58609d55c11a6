package io.weir.internal.rules.database;

/**
 * How far a node has read {@code rule_changes}. Numbers are given when a change begins, so a
 * smaller one may come after a larger one; the database knows how to miss none.
 *
 * @param token what the database needs to go on; means nothing to anybody else
 */
public record ChangePosition(String token) {}
