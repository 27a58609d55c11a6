/**
 * How buckets are kept in Cassandra: sums that each node writes alone, and states by transaction.
 */
@NullMarked
package io.weir.internal.cassandra;

import org.jspecify.annotations.NullMarked;
