package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.weir.internal.store.MisconfiguredStoreException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Determines from consistency levels and replication whether reads and writes overlap: whether a
 * read includes at least one replica of every earlier write.
 *
 * <p>Immutable.
 *
 * @param here whether it does if both are in the same data centre
 * @param everywhere whether it does in any data centres
 * @param serial the level at which transactions guarantee the same
 */
record QuorumOverlap(boolean here, boolean everywhere, ConsistencyLevel serial) {
  /** Unknown, before the first connection. */
  static final QuorumOverlap UNKNOWN =
      new QuorumOverlap(false, false, DefaultConsistencyLevel.LOCAL_SERIAL);

  /**
   * Determines the overlap.
   *
   * @param replication as in {@code system_schema.keyspaces}
   * @throws MisconfiguredStoreException if the levels need replicas in this data centre, and it has
   *     none
   */
  static QuorumOverlap of(
      ConsistencyLevels levels, Map<String, String> replication, String dataCentre) {
    Map<String, Integer> replicas = new TreeMap<>();
    replication.forEach(
        (name, value) -> {
          if (!name.equals("class")) {
            replicas.put(name.equals("replication_factor") ? dataCentre : name, number(value));
          }
        });
    int local = replicas.getOrDefault(dataCentre, 0);
    if (local == 0 && (isLocal(levels.read()) || isLocal(levels.write()))) {
      throw new MisconfiguredStoreException(
          "the keyspace has no replica in the data centre "
              + dataCentre
              + ", only in "
              + replicas.keySet()
              + ", so nothing can be read or written there at "
              + levels.read()
              + " and "
              + levels.write()
              + ". Give it replicas by ALTER KEYSPACE, or set read-consistency and"
              + " write-consistency in weir.store.cassandra to quorum.");
    }
    int all = replicas.values().stream().mapToInt(Integer::intValue).sum();
    int readHere = here(levels.read(), local, all);
    int writtenHere = here(levels.write(), local, all);
    int read = count(levels.read(), local, all);
    int written = count(levels.write(), local, all);
    boolean everywhere = read + written > all && all > 0;
    boolean inThisOne = readHere + writtenHere > local && local > 0;
    long centres = replicas.values().stream().filter(each -> each > 0).count();
    boolean spans = levels.spansDataCentres() || everywhere && centres > 1;
    return new QuorumOverlap(
        everywhere || inThisOne,
        everywhere,
        spans ? DefaultConsistencyLevel.SERIAL : DefaultConsistencyLevel.LOCAL_SERIAL);
  }

  /** Returns whether only replicas of this data centre count. */
  private static boolean isLocal(DefaultConsistencyLevel level) {
    return level == DefaultConsistencyLevel.LOCAL_QUORUM
        || level == DefaultConsistencyLevel.LOCAL_ONE;
  }

  /** Reads {@code 3}, or {@code 3/1} for three replicas of which one is transient. */
  private static int number(String text) {
    return Integer.parseInt(text.split("/", 2)[0].strip());
  }

  /** Returns the replicas that have answered. */
  private static int count(DefaultConsistencyLevel level, int local, int all) {
    return switch (level) {
      case ANY -> 0;
      case ONE, LOCAL_ONE -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, EACH_QUORUM -> all / 2 + 1;
      case LOCAL_QUORUM -> local / 2 + 1;
      case ALL -> all;
      default -> 0;
    };
  }

  /** Returns the replicas of this data centre that have certainly answered. */
  private static int here(DefaultConsistencyLevel level, int local, int all) {
    return switch (level) {
      case LOCAL_ONE -> 1;
      case LOCAL_QUORUM, EACH_QUORUM -> local / 2 + 1;
      default -> Math.max(0, count(level, local, all) - (all - local));
    };
  }
}
