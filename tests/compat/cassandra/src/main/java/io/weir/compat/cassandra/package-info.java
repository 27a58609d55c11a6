/** A real Cassandra for tests. */
@NullMarked
package io.weir.compat.cassandra;

import org.jspecify.annotations.NullMarked;
