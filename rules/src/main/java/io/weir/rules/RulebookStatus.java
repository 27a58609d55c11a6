package io.weir.rules;

import io.weir.rules.history.RuleHistory;
import java.time.Instant;

/**
 * What a node has read of the rules.
 *
 * @param version the number of the newest change in {@link RuleHistory} that the node has put in
 *     force; 0 if there is no history
 * @param readAt when the node last saw that nothing is newer: long ago while the database is away
 */
public record RulebookStatus(long version, Instant readAt) {}
