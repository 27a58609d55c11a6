package io.weir.rules.history;

import java.time.Instant;
import java.util.Optional;

/**
 * Records one change of a row, by the API or by SQL: a row of {@code rule_changes}, which is never
 * updated.
 *
 * @param number increases in the order in which changes were begun
 * @param at the time of the change
 * @param by the author given to the API, else the database's user
 * @param table the table
 * @param rowKey the row's key: the id, the user or the policy
 * @param before the row before it as JSON; empty if it is new
 * @param after the row after it as JSON; empty if it was deleted
 */
public record RuleChange(
    long number,
    Instant at,
    String by,
    String table,
    String rowKey,
    Optional<String> before,
    Optional<String> after) {}
