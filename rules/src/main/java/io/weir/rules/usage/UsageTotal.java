package io.weir.rules.usage;

import java.time.Instant;
import java.util.Optional;

/**
 * Sums up all requests of a user since usage was first written.
 *
 * @param userId the user
 * @param since when the user was first seen; empty if never
 * @param requests the number of decided requests, also refused ones
 * @param refused the number of refused requests
 * @param permits the permits of admitted requests; for each, those of the policy that took the most
 * @param peakMinute the requests of the busiest minute on any one node
 */
public record UsageTotal(
    String userId,
    Optional<Instant> since,
    long requests,
    long refused,
    long permits,
    long peakMinute) {}
