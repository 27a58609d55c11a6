/** Measures into the meter registry of an application. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.metrics;

import org.jspecify.annotations.NullMarked;
