/** Measures ten nodes on one Redis: whether they hold a limit, and how much of it they use. */
@NullMarked
package io.weir.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
