/**
 * The store in Redis: buckets are counted by scripts that run there, one key for each bucket.
 *
 * <p>Times in scripts are microseconds, amounts permits. A number in Lua is a double, so everything
 * that is told, kept or computed on the way is a whole number below 2^53.
 */
@NullMarked
package io.weir.internal.redis;

import org.jspecify.annotations.NullMarked;
