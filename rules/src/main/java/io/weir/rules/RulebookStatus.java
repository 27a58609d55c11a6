package io.weir.rules;

import io.weir.rules.history.RuleHistory;
import java.time.Instant;

/**
 * Says which version of the rules a node has in force.
 *
 * @param version the number of the newest change in {@link RuleHistory} that the node has put in
 *     force; 0 if there is no history
 * @param readAt when the node last made sure that there is no newer change; long ago while the
 *     database is unavailable
 */
public record RulebookStatus(long version, Instant readAt) {}
