package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * How many replicas must have answered.
 *
 * <p>Immutable.
 *
 * @param read for reads
 * @param write for writes
 */
record Levels(DefaultConsistencyLevel read, DefaultConsistencyLevel write) {
  /** The usual ones: exact in one data centre. */
  static final Levels LOCAL_QUORUM =
      new Levels(DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.LOCAL_QUORUM);

  /** Whether replicas of all data centres count, however many each has. */
  boolean spansDataCentres() {
    return switch (read) {
      case QUORUM, ALL, EACH_QUORUM -> true;
      default ->
          write == DefaultConsistencyLevel.ALL || write == DefaultConsistencyLevel.EACH_QUORUM;
    };
  }
}
