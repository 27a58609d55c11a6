/** Measures requests of new callers, beside one script per request. */
@NullMarked
package io.weir.benchmarks.cold;

import org.jspecify.annotations.NullMarked;
