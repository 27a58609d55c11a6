/** Compares Weir on a Redis with other limiters that use one. */
@NullMarked
package io.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
