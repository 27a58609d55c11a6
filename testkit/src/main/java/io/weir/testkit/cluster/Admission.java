package io.weir.testkit.cluster;

import io.weir.Policy;
import io.weir.store.BucketId;

/**
 * A request that one policy admitted.
 *
 * <p>Immutable.
 *
 * @param policy the policy
 * @param bucket the bucket of the request
 * @param node which node decided
 * @param time when it was answered, in microseconds since the epoch by the store's clock
 * @param spent when its permits were spent: by the store's decision if the request waited for that,
 *     otherwise from a lease
 * @param slotEnd when the slot that they were charged to ended; {@link Long#MAX_VALUE} if they were
 *     charged to none
 * @param nodeTime when, by the clock that the node counts by while the store is away
 * @param permits how many it took
 * @param stamp the decision's stamp
 * @param degraded whether it was decided without the store
 * @param nodes how many nodes the deciding one knew of
 */
public record Admission(
    Policy policy,
    BucketId bucket,
    int node,
    long time,
    long spent,
    long slotEnd,
    long nodeTime,
    long permits,
    long stamp,
    boolean degraded,
    int nodes) {}
