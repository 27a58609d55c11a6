/** The day of a large API, scaled to the machine. */
@NullMarked
package io.weir.benchmarks.day;

import org.jspecify.annotations.NullMarked;
