/** Measures into the meter registry of a Spring application. */
@NullMarked
package io.weir.spring.metrics;

import org.jspecify.annotations.NullMarked;
