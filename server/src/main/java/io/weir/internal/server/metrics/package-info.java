/** Meters of the server: decision times by protocol, rules and pending upgrades. */
@NullMarked
package io.weir.internal.server.metrics;

import org.jspecify.annotations.NullMarked;
