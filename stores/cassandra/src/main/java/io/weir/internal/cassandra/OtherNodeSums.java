package io.weir.internal.cassandra;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the charges of all other nodes to a bucket.
 *
 * <p>Immutable if its map isn't changed.
 *
 * @param charges permits by slots
 * @param raised the largest amount by which one of them has raised the count
 * @param contended whether one of them has just written a charge that may not be granted
 */
record OtherNodeSums(SortedMap<Long, Long> charges, long raised, boolean contended) {
  static final OtherNodeSums NONE = new OtherNodeSums(new TreeMap<>(), 0, false);
}
