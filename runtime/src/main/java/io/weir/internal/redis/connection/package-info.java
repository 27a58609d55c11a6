/**
 * Connections to Redis: one server, one behind sentinels, or the masters of a cluster.
 *
 * <p>What is sent are calls of scripts, many at a time and without waiting in between. What may
 * have been executed is never sent again.
 */
@NullMarked
package io.weir.internal.redis.connection;

import org.jspecify.annotations.NullMarked;
