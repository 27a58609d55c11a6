/** What can go wrong between a node and a Redis, done on purpose. */
@NullMarked
package io.weir.compat.redis.fault;

import org.jspecify.annotations.NullMarked;
