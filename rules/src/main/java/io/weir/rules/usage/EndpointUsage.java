package io.weir.rules.usage;

import java.time.Instant;

/**
 * Sums up the requests of a user to an endpoint in an hour or a day.
 *
 * @param endpoint the template of the resource, the mapping of the servlet, else the pattern of the
 *     rule that matched or {@code policy:} and the policy's name; never a path
 * @param startsAt the beginning of the hour or day, in UTC; for sums, that of the first hour
 * @param requests the number of decided requests, also refused ones
 * @param refused the number of refused requests
 * @param permits the permits of admitted requests; for each, those of the policy that took the most
 * @param peakMinute the requests of the busiest minute; with several nodes an upper bound, the sum
 *     of their busiest minutes
 */
public record EndpointUsage(
    String endpoint,
    Instant startsAt,
    long requests,
    long refused,
    long permits,
    long peakMinute) {}
