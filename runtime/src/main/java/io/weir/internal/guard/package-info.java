/**
 * What the adapters share: the {@link io.weir.internal.guard.WeirRuntime} of one application, the
 * policies of each endpoint, and a request's way past them.
 */
@NullMarked
package io.weir.internal.guard;

import org.jspecify.annotations.NullMarked;
