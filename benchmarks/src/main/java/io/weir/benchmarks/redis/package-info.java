/** Weir over a Redis beside what else asks one. */
@NullMarked
package io.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
