/** How often callers who come seldom make a node ask the store. */
@NullMarked
package io.weir.benchmarks.slow;

import org.jspecify.annotations.NullMarked;
