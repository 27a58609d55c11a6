/** Envoy's rate limit service in front of a limiter. */
@NullMarked
package io.weir.internal.server.envoy;

import org.jspecify.annotations.NullMarked;
