/** Causes faults between a node and a Redis on purpose. */
@NullMarked
package io.weir.compat.redis.fault;

import org.jspecify.annotations.NullMarked;
