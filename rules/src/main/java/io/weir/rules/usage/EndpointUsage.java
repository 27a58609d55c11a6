package io.weir.rules.usage;

import java.time.Instant;

/**
 * What a user has used of an endpoint in an hour or a day.
 *
 * @param endpoint the template of the resource, the mapping of the servlet, else the pattern of the
 *     rule that matched or {@code policy:} and the policy's name; never a path
 * @param startsAt when the hour or day began, in UTC; of sums the beginning of the first hour
 * @param requests how many requests were decided, refused ones too
 * @param refused how many of them were refused
 * @param permits what the admitted ones took, at each request by the policy that took the most
 * @param peakMinute the requests of the busiest minute: over several nodes an upper bound, since
 *     their busiest minutes are added up
 */
public record EndpointUsage(
    String endpoint,
    Instant startsAt,
    long requests,
    long refused,
    long permits,
    long peakMinute) {}
