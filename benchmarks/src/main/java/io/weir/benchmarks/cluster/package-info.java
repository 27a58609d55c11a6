/** Ten nodes on one Redis: whether they keep to a limit, and how much of it they use. */
@NullMarked
package io.weir.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
