/**
 * Meters of the server: decision times by protocol, rules, pending upgrades, and what it reports of
 * itself.
 */
@NullMarked
package io.weir.internal.server.metrics;

import org.jspecify.annotations.NullMarked;
