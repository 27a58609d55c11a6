package io.weir.internal.rules.database;

/**
 * The position up to which a node has read {@code rule_changes}. Numbers are given when a change
 * begins, so a smaller one may come after a larger one; positions make sure that none is missed.
 *
 * @param token the state that the database needs to continue; opaque to others
 */
public record ChangePosition(String token) {}
