/** Measures how much the limits of an application delay its first response. */
@NullMarked
package io.weir.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
