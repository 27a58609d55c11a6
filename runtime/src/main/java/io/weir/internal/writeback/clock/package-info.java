/** This node's time: a monotonic clock, its drift against the store's, time-outs, and timers. */
@NullMarked
package io.weir.internal.writeback.clock;

import org.jspecify.annotations.NullMarked;
