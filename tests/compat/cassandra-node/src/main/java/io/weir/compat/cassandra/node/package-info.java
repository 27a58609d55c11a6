/** Runs in the process of a Cassandra that tests start. */
@NullMarked
package io.weir.compat.cassandra.node;

import org.jspecify.annotations.NullMarked;
