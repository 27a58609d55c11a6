/**
 * Keeps what this node holds and knows of a bucket: the lease, permits to give back, the store's
 * last answers, the demand. No I/O and no thread.
 */
@NullMarked
package io.weir.internal.writeback.lease;

import org.jspecify.annotations.NullMarked;
