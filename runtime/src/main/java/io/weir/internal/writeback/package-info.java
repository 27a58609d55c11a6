/**
 * The write-back cache of leases: a node takes permits from a shared store before it needs them,
 * spends them without asking again, and gives back what it doesn't use. {@link
 * io.weir.internal.writeback.WriteBackCache} begins with how it works.
 *
 * <p>Here are the buckets and who acquires permits of them. What a bucket holds and knows is in
 * {@code lease}, what it owes in {@code debt}, how its claims reach the store in {@code channel},
 * this node's time in {@code clock}. These know nothing of this package, nor of each other but for
 * {@code clock}. None knows a concrete store.
 */
@NullMarked
package io.weir.internal.writeback;

import org.jspecify.annotations.NullMarked;
