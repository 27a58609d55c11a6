/** What buckets take of the heap, and what a flood of keys does to it. */
@NullMarked
package io.weir.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
