package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the consistency levels are worth with a replication: whether whoever reads after a write has
 * read at least one replica that has it.
 *
 * <p>Immutable.
 *
 * @param here if both are in the same data centre
 * @param everywhere if they are in any
 */
record Guarantee(boolean here, boolean everywhere) {
  /** Before there was a connection. */
  static final Guarantee UNKNOWN = new Guarantee(false, false);

  /**
   * Works it out.
   *
   * @param replication as {@code system_schema.keyspaces} tells it
   * @param dataCentre the one of this node
   */
  static Guarantee of(Levels levels, Map<String, String> replication, String dataCentre) {
    Map<String, Integer> replicas = new TreeMap<>();
    replication.forEach(
        (name, value) -> {
          if (!name.equals("class")) {
            replicas.put(name.equals("replication_factor") ? dataCentre : name, number(value));
          }
        });
    int local = replicas.getOrDefault(dataCentre, 0);
    int all = replicas.values().stream().mapToInt(Integer::intValue).sum();
    int readHere = here(levels.read(), local, all);
    int writtenHere = here(levels.write(), local, all);
    int read = count(levels.read(), local, all);
    int written = count(levels.write(), local, all);
    boolean everywhere = read + written > all && all > 0;
    boolean inThisOne = readHere + writtenHere > local && local > 0;
    return new Guarantee(everywhere || inThisOne, everywhere);
  }

  /** {@code 3}, or {@code 3/1} where one of three is transient. */
  private static int number(String text) {
    return Integer.parseInt(text.split("/", 2)[0].strip());
  }

  /** How many replicas have answered. */
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

  /** How many replicas of this data centre have answered for sure. */
  private static int here(DefaultConsistencyLevel level, int local, int all) {
    return switch (level) {
      case LOCAL_ONE -> 1;
      case LOCAL_QUORUM, EACH_QUORUM -> local / 2 + 1;
      default -> Math.max(0, count(level, local, all) - (all - local));
    };
  }
}
