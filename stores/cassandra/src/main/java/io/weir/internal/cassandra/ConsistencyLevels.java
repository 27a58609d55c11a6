package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * Holds how many replicas must answer.
 *
 * <p>Immutable.
 */
record ConsistencyLevels(DefaultConsistencyLevel read, DefaultConsistencyLevel write) {
  /** The default, which is exact in one data centre. */
  static final ConsistencyLevels LOCAL_QUORUM =
      new ConsistencyLevels(
          DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.LOCAL_QUORUM);

  /** Returns whether the levels count replicas of all data centres. */
  boolean spansDataCentres() {
    return switch (read) {
      case QUORUM, ALL, EACH_QUORUM -> true;
      default ->
          write == DefaultConsistencyLevel.ALL || write == DefaultConsistencyLevel.EACH_QUORUM;
    };
  }
}
