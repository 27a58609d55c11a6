package io.weir.compat.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster of three masters without replicas, each with a third of the slots; when one is gone,
 * the others go on with theirs.
 *
 * <p>Confine to one thread.
 */
public final class ClusterSetup implements AutoCloseable {
  /** The number of masters. */
  public static final int MASTERS = 3;

  private static final int SLOTS = 16_384;
  private static final String LOCALHOST = "127.0.0.1";

  private final List<RedisServer> masters = new ArrayList<>();

  private ClusterSetup() {}

  /**
   * Starts all three and waits until they are a cluster.
   *
   * @param config more lines of redis.conf for each
   * @return a setup that the caller closes
   */
  public static ClusterSetup start(String... config) {
    ClusterSetup setup = new ClusterSetup();
    try {
      setup.open(config);
    } catch (RuntimeException | Error e) {
      setup.close();
      throw e;
    }
    return setup;
  }

  private void open(String... config) {
    List<String> lines =
        new ArrayList<>(List.of("cluster-enabled yes", "cluster-node-timeout 3000"));
    lines.add("cluster-require-full-coverage no");
    lines.addAll(List.of(config));
    for (int i = 0; i < MASTERS; i++) {
      masters.add(RedisServer.start(lines.toArray(String[]::new)));
      // Otherwise they can't determine whose slots are newer once one moves.
      ok(masters.get(i).ask("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1)));
      ok(masters.get(i).ask("CLUSTER", "ADDSLOTSRANGE", "" + first(i), "" + (first(i + 1) - 1)));
    }
    Await.until("a whole cluster", () -> masters.stream().filter(this::isWhole).count() == MASTERS);
  }

  /**
   * Returns the slots of a master at the start.
   *
   * @param master 0 to 2, or 3 for the end of all slots
   * @return the first of them
   */
  public static int first(int master) {
    return master * SLOTS / MASTERS;
  }

  private static void ok(String reply) {
    if (!reply.equals("OK")) {
      throw new IllegalStateException(reply);
    }
  }

  private boolean isWhole(RedisServer master) {
    introduceOthers(master);
    String info = master.ask("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_known_nodes:" + MASTERS)
        && info.contains("cluster_slots_ok:" + SLOTS);
  }

  /** Again if need be: a node forgets one that hasn't answered its first words in time. */
  private void introduceOthers(RedisServer master) {
    String known = master.ask("CLUSTER", "NODES");
    masters.stream()
        .filter(each -> !known.contains(":" + each.port() + "@"))
        .forEach(each -> ok(master.ask("CLUSTER", "MEET", LOCALHOST, "" + each.port())));
  }

  /**
   * Returns the address for {@code weir.store}.
   *
   * @return all masters
   */
  public String url() {
    return masters.stream()
        .map(each -> LOCALHOST + ":" + each.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /**
   * Returns the masters.
   *
   * @return three, in the order of their slots at the start
   */
  public List<RedisServer> masters() {
    return List.copyOf(masters);
  }

  /**
   * Returns the current master of a key.
   *
   * @param key the whole key
   * @return the master that its slot belongs to
   */
  public RedisServer masterOf(String key) {
    int slot = slot(key);
    return masters.stream().filter(each -> owns(each, slot)).findFirst().orElseThrow();
  }

  /**
   * Returns the slot of a key.
   *
   * @param key the whole key
   * @return 0 to 16383
   */
  public int slot(String key) {
    return Integer.parseInt(
        masters.stream()
            .filter(RedisServer::running)
            .findFirst()
            .orElseThrow()
            .ask("CLUSTER", "KEYSLOT", key));
  }

  private boolean owns(RedisServer master, int slot) {
    return master
        .ask("CLUSTER", "NODES")
        .lines()
        .filter(line -> line.contains("myself"))
        .flatMap(line -> List.of(line.split(" ", -1)).stream().skip(8))
        .filter(range -> !range.startsWith("["))
        .map(range -> range.split("-", 2))
        .anyMatch(
            ends ->
                IntStream.rangeClosed(
                        Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .anyMatch(each -> each == slot));
  }

  @Override
  public void close() {
    masters.forEach(RedisServer::close);
  }
}
