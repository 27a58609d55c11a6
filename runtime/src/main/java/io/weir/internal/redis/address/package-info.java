/** Parses the address and the settings of a Redis: its servers, the login, and time-outs. */
@NullMarked
package io.weir.internal.redis.address;

import org.jspecify.annotations.NullMarked;
