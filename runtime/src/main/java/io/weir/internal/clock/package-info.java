/** Clocks that can't be trusted. */
@NullMarked
package io.weir.internal.clock;

import org.jspecify.annotations.NullMarked;
