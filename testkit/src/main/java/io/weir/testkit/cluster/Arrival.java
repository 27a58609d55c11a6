package io.weir.testkit.cluster;

import io.weir.Policy;
import io.weir.store.BucketId;

/**
 * A request to one policy, whether it was admitted or not.
 *
 * <p>Immutable.
 *
 * @param policy the policy
 * @param bucket the bucket of the request
 * @param time when it came, in microseconds since the epoch
 * @param permits how many it asked for
 */
public record Arrival(Policy policy, BucketId bucket, long time, long permits) {}
