/** Measures the heap of buckets, and the effect of a flood of keys on it. */
@NullMarked
package io.weir.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
