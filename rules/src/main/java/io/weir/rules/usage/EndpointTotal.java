package io.weir.rules.usage;

/**
 * Sums up the requests of all callers to an endpoint in a time.
 *
 * @param endpoint as in {@link EndpointUsage}
 * @param users the number of known users; unknown callers aren't counted
 * @param requests the number of decided requests, also refused ones and those of unknown callers
 * @param refused the number of refused requests
 * @param permits the permits of admitted requests
 * @param peakMinute the requests of the busiest minute of any one known user, an upper bound as in
 *     {@link EndpointUsage}
 */
public record EndpointTotal(
    String endpoint, long users, long requests, long refused, long permits, long peakMinute) {}
