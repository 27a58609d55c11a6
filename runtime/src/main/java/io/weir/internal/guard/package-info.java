/**
 * What the adapters share: one application's {@link io.weir.internal.guard.WeirRuntime}, the guard
 * of each endpoint, and a request's way past it.
 */
@NullMarked
package io.weir.internal.guard;

import org.jspecify.annotations.NullMarked;
