package io.weir.rules.history;

import java.time.Instant;
import java.util.Optional;

/**
 * One change of a row, whoever made it: a row of {@code rule_changes}, which is never updated.
 *
 * @param number in the order in which changes were begun
 * @param at when
 * @param by who: the author that the API was told, else the database's user
 * @param table the table
 * @param rowKey the row's key: the id, the user or the policy
 * @param before the row before it as JSON; nothing if it is new
 * @param after the row after it as JSON; nothing if it was deleted
 */
public record RuleChange(
    long number,
    Instant at,
    String by,
    String table,
    String rowKey,
    Optional<String> before,
    Optional<String> after) {}
