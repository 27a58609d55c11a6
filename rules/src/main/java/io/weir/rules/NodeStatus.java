package io.weir.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What one server of the service has done since it started.
 *
 * @param node its name, unique among those that run
 * @param startedAt when it started
 * @param seenAt when it said so, by the database's clock
 * @param admitted decisions that let a request pass
 * @param refused decisions that didn't
 * @param degraded those of both that were made without the store
 * @param dropped requests whose usage couldn't be kept
 * @param breaker whether it asks the store: {@code closed} if it does, {@code open} if it is away
 * @param storeLatency how long the store's answers took on average since the last time; nothing if
 *     it wasn't asked
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
