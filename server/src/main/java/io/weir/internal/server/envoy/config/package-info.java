/** Reads and follows the configuration of Envoy's rate limit service. */
@NullMarked
package io.weir.internal.server.envoy.config;

import org.jspecify.annotations.NullMarked;
