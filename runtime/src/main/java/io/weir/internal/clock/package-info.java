/** Clocks that jump, and time-outs that allow for a busy processor. */
@NullMarked
package io.weir.internal.clock;

import org.jspecify.annotations.NullMarked;
