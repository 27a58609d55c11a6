/** What addresses and settings say about a Redis: where it is, how to log in, how long to wait. */
@NullMarked
package io.weir.internal.redis.address;

import org.jspecify.annotations.NullMarked;
