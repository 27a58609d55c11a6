/** Keeps buckets in Cassandra: as sums that each node writes alone, or as states by transaction. */
@NullMarked
package io.weir.internal.cassandra;

import org.jspecify.annotations.NullMarked;
