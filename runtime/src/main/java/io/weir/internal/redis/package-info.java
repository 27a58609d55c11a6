/**
 * Keeps buckets in Redis: scripts that run there count them, with one key for each bucket.
 *
 * <p>Times in scripts are microseconds, amounts permits. A number in Lua is a double, so everything
 * that is passed, stored or computed is a whole number below 2^53.
 */
@NullMarked
package io.weir.internal.redis;

import org.jspecify.annotations.NullMarked;
