/** Measures decisions. Metrics never contain keys, which identify callers. */
@NullMarked
package io.weir.metrics;

import org.jspecify.annotations.NullMarked;
