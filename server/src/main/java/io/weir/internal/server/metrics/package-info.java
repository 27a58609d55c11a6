/**
 * Meters of the server: whether it is ready, decision times by protocol, rules and pending
 * upgrades.
 */
@NullMarked
package io.weir.internal.server.metrics;

import org.jspecify.annotations.NullMarked;
