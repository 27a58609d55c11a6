/**
 * A node's time: monotonic, its drift against a store's, clocks that jump, timers, and time-outs
 * that allow for a busy processor.
 */
@NullMarked
package io.weir.internal.clock;

import org.jspecify.annotations.NullMarked;
