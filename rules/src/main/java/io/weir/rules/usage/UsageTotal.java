package io.weir.rules.usage;

import java.time.Instant;
import java.util.Optional;

/**
 * All that a user has ever used, since usage is written.
 *
 * @param userId the user
 * @param since when it was first met; nothing if it never was
 * @param requests how many requests were decided, refused ones too
 * @param refused how many of them were refused
 * @param permits what the admitted ones took, at each request by the policy that took the most
 * @param peakMinute the requests of its busiest minute on any one node
 */
public record UsageTotal(
    String userId,
    Optional<Instant> since,
    long requests,
    long refused,
    long permits,
    long peakMinute) {}
