/** Compares Weir on a PostgreSQL with other limiters that use one. */
@NullMarked
package io.weir.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
