/**
 * Measures one decision on the node that makes it, beside the limiters that a user would choose.
 */
@NullMarked
package io.weir.benchmarks.decisions;

import org.jspecify.annotations.NullMarked;
