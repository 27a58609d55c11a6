/**
 * Connects to one partition of the store: batches claims, bounds the calls in flight, waits for
 * answers, stops asking a store that fails, and detects when the store has lost its data.
 *
 * <p>It knows nothing of buckets and leases: a {@link
 * io.weir.internal.writeback.channel.ClaimSource} makes a claim when its turn comes, an {@link
 * io.weir.internal.writeback.channel.SentClaim} handles its outcome.
 */
@NullMarked
package io.weir.internal.writeback.channel;

import org.jspecify.annotations.NullMarked;
