/** Measures how often infrequent callers make a node call the store. */
@NullMarked
package io.weir.benchmarks.slow;

import org.jspecify.annotations.NullMarked;
