/** Measures Weir beside its alternatives, and reports the results. */
@NullMarked
package io.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
