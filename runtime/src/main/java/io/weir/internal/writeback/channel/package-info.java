/**
 * The way to one partition of the store: batches claims, bounds how many calls are under way, waits
 * for answers, stops asking a store that fails, and notices when the store has lost its data.
 *
 * <p>It knows nothing of buckets and leases: a {@link
 * io.weir.internal.writeback.channel.ClaimSource} makes a claim when its turn comes, an {@link
 * io.weir.internal.writeback.channel.InFlightClaim} is told what became of it.
 */
@NullMarked
package io.weir.internal.writeback.channel;

import org.jspecify.annotations.NullMarked;
