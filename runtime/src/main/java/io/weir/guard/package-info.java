/**
 * What the adapters share: one application's {@link io.weir.guard.Weir}, the guard of each
 * endpoint, and a request's way past it.
 */
@NullMarked
package io.weir.guard;

import org.jspecify.annotations.NullMarked;
