/**
 * Time that passes only on request: {@link io.weir.testkit.virtual.VirtualTime} with the clocks and
 * schedulers of the machines that live in it, on one thread.
 */
@NullMarked
package io.weir.testkit.virtual;

import org.jspecify.annotations.NullMarked;
