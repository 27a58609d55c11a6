package io.weir.internal.cassandra;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the rows of all other nodes say of a bucket.
 *
 * <p>Immutable, as long as nobody changes its map.
 *
 * @param charges permits by slots
 * @param raised the most by which one of them has raised the count
 * @param contended whether one of them wrote down a moment ago what it may not get
 */
record OtherSums(SortedMap<Long, Long> charges, long raised, boolean contended) {
  /** There are none, or none are known. */
  static final OtherSums NONE = new OtherSums(new TreeMap<>(), 0, false);
}
