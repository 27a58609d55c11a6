package io.weir.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reports what a node of the decision service has done since it started.
 *
 * @param node its name, unique among running nodes
 * @param startedAt when it started
 * @param seenAt when it reported, by the database's clock
 * @param admitted decisions that admitted a request
 * @param refused decisions that refused a request
 * @param degraded decisions of either kind made without the store
 * @param dropped requests whose usage was dropped
 * @param breaker {@code closed} while it uses the store, {@code open} while the store is
 *     unavailable
 * @param storeLatency the average time of the store's answers since the last report; empty if there
 *     were none
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
    Optional<Duration> storeLatency) {}
