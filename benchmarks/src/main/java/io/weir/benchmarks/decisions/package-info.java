/**
 * What one decision costs on the node that makes it, beside the limiters that a user would take.
 */
@NullMarked
package io.weir.benchmarks.decisions;

import org.jspecify.annotations.NullMarked;
