/** Clocks that jump, and time-outs that allow for a processor that was busy. */
@NullMarked
package io.weir.internal.clock;

import org.jspecify.annotations.NullMarked;
