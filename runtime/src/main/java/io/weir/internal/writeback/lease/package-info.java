/**
 * What this node holds and knows of a bucket: the lease, permits to give back, what the store said
 * last, how much is asked for. No I/O and no thread.
 */
@NullMarked
package io.weir.internal.writeback.lease;

import org.jspecify.annotations.NullMarked;
