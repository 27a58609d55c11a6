package io.weir.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reports what a node has done since it started, and how it is. Nodes are servers of the decision
 * service, and applications with rules.
 *
 * @param node its name, unique among running nodes
 * @param startedAt when it started, by its own clock
 * @param seenAt when it reported, by the database's clock
 * @param admitted decisions of policies that admitted a request
 * @param refused decisions of policies that refused a request
 * @param degraded decisions of either kind made without the store
 * @param dropped requests whose usage was dropped
 * @param breaker {@code closed} while it uses the store, {@code open} while the store is
 *     unavailable
 * @param storeLatency the average time of the store's answers between its last two reports; empty
 *     if there were none
 * @param version its version of Weir; empty if that is unknown
 * @param exchangesPerSecond claims that the store executed for it, between its last two reports; 0
 *     for a store in its process
 * @param rulesVersion the number of the newest change in {@link io.weir.rules.history.RuleHistory}
 *     that it has put in force; 0 if there is none
 * @param clockOffset by how much its clock is ahead of the database's, negative if it is behind;
 *     empty if it isn't known
 * @param mayWrite whether it may write its reports; if not, it is known to itself alone
 * @param note what its reports lack, in words for people
 */
public record NodeStatus(
    String node,
    Instant startedAt,
    Instant seenAt,
    long admitted,
    long refused,
    long degraded,
    long dropped,
    String breaker,
    Optional<Duration> storeLatency,
    Optional<String> version,
    double exchangesPerSecond,
    long rulesVersion,
    Optional<Duration> clockOffset,
    boolean mayWrite,
    Optional<String> note) {}
