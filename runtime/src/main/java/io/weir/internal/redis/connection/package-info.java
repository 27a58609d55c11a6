/**
 * Connections to Redis: one server, one behind sentinels, or the masters of a cluster.
 *
 * <p>Calls of scripts are pipelined, many at a time. A call that may have been executed is never
 * sent again.
 */
@NullMarked
package io.weir.internal.redis.connection;

import org.jspecify.annotations.NullMarked;
