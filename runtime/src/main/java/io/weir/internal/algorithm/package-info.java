/**
 * Counts permits over time: pure arithmetic on small states.
 *
 * <p>A state takes a claim and the time and gives a grant. It reads no clock, takes no lock, does
 * no I/O and knows no other bucket, so that any store can run it. Times are microseconds since the
 * epoch by the store's clock, amounts are permits.
 */
@NullMarked
package io.weir.internal.algorithm;

import org.jspecify.annotations.NullMarked;
