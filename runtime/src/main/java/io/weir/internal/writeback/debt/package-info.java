/**
 * Keeps what this node owes to a bucket, what it may borrow ahead of the store, and what it reports
 * if the store loses its data. No I/O and no thread.
 */
@NullMarked
package io.weir.internal.writeback.debt;

import org.jspecify.annotations.NullMarked;
