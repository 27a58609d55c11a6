/** Measures decisions into the meter registry of a Micronaut application. */
@NullMarked
package io.weir.micronaut.metrics;

import org.jspecify.annotations.NullMarked;
