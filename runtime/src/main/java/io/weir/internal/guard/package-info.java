/**
 * Decides the requests of an application: one {@link io.weir.internal.guard.GuardedEndpoint} for
 * each endpoint, one {@link io.weir.internal.guard.GuardedRequest} for each request. Adapters share
 * it.
 */
@NullMarked
package io.weir.internal.guard;

import org.jspecify.annotations.NullMarked;
