/**
 * The write-back cache of leases: a node takes permits from a shared store before it needs them,
 * spends them without asking again, and gives back what it doesn't use. {@link
 * io.weir.internal.writeback.WriteBackCache} begins with how it works.
 *
 * <p>This package has the buckets and acquires permits from them. What a bucket holds and knows is
 * in {@code lease}, what it owes in {@code debt}; its claims reach the store through {@code
 * channel}, and this node's time is in {@code clock}. These packages don't depend on this one, nor
 * on each other except on {@code clock}. None depends on a concrete store.
 */
@NullMarked
package io.weir.internal.writeback;

import org.jspecify.annotations.NullMarked;
