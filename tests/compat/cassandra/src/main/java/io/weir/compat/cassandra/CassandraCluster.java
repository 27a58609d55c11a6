package io.weir.compat.cassandra;

import static java.util.stream.Collectors.joining;

import com.datastax.oss.driver.api.core.CqlSession;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

/**
 * Several nodes of Cassandra, each in a process of its own on a loopback address of its own, from
 * 127.0.0.1 on, and all on the same port; in one data centre or in several, which can be cut off
 * from each other and joined again.
 *
 * <p>It ends with this JVM. Confine to one thread.
 */
public final class CassandraCluster implements AutoCloseable {
  private static final BigInteger FIRST_TOKEN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger TOKENS = BigInteger.ONE.shiftLeft(Long.SIZE);

  private final List<CassandraServer> nodes;

  private CassandraCluster(List<CassandraServer> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** Skips a test if a cluster can't be started here; fails it if programs are required. */
  public static void assumePresent() {
    Missing.forCluster().ifPresent(Assumptions::abort);
  }

  /**
   * Starts nodes in data centres {@code datacenter1}, {@code datacenter2} and so on, and waits
   * until each answers a query and believes all others to be up.
   *
   * @param nodes how many each data centre has; {@code start(3)} is one data centre of three
   * @return a cluster that the caller closes
   */
  public static CassandraCluster start(int... nodes) {
    return start(CassandraConfig.plain(), nodes);
  }

  /**
   * Starts nodes with a configuration, as {@link #start(int...)} does.
   *
   * @param config of each node
   * @param nodes how many each data centre has
   * @return a cluster that the caller closes
   */
  public static CassandraCluster start(CassandraConfig config, int... nodes) {
    CassandraCluster cluster =
        new CassandraCluster(
            places(nodes).stream().map(place -> new CassandraServer(place, config)).toList());
    try {
      cluster.nodes.forEach(CassandraServer::awaitListening);
      cluster.introduce();
      cluster.awaitAllLive();
      cluster.awaitAllKnown();
      return cluster;
    } catch (RuntimeException | Error failed) {
      String logs = cluster.nodes.stream().map(CassandraServer::log).collect(joining("\n\n"));
      cluster.close();
      throw new IllegalStateException("the cluster didn't start\n" + logs, failed);
    }
  }

  /**
   * Gives the nodes a minute to find each other, and restarts all but the first if they haven't:
   * nodes that start in the same second sometimes never do.
   */
  private void introduce() {
    if (!Await.isTrueWithin(Duration.ofMinutes(1), this::isAllLive)) {
      nodes.stream().skip(1).forEach(CassandraServer::restart);
    }
  }

  private boolean isAllLive() {
    List<String> addresses = nodes.stream().map(CassandraServer::address).toList();
    return nodes.stream().allMatch(each -> each.live().containsAll(addresses));
  }

  /** Waits until each node knows the tokens of the others, and by that their data centres. */
  private void awaitAllKnown() {
    for (CassandraServer node : nodes) {
      Await.until(
          node.address() + " knows the tokens of the others",
          () -> othersKnown(node) == nodes.size() - 1);
    }
  }

  private static long othersKnown(CassandraServer node) {
    return node.execute("SELECT tokens FROM system.peers").all().stream()
        .filter(each -> !each.isNull("tokens"))
        .count();
  }

  private static List<Place> places(int[] nodes) {
    int all = IntStream.of(nodes).sum();
    List<String> addresses =
        IntStream.rangeClosed(1, all).mapToObj(each -> "127.0.0." + each).toList();
    int port = Ports.free(addresses);
    int internode = Ports.free(addresses);
    List<Place> places = new ArrayList<>();
    for (int centre = 0; centre < nodes.length; centre++) {
      for (int node = 0; node < nodes[centre]; node++) {
        // All are seeds: then they may start at the same time.
        places.add(
            new Place(
                addresses.get(places.size()),
                port,
                internode,
                nameOf(centre + 1),
                token(node, nodes[centre], centre),
                addresses));
      }
    }
    return places;
  }

  private static String nameOf(int number) {
    return "datacenter" + number;
  }

  /** Parts of equal size in each data centre; no two nodes have the same. */
  private static String token(int node, int nodes, int centre) {
    BigInteger part = TOKENS.divide(BigInteger.valueOf(nodes));
    return FIRST_TOKEN
        .add(part.multiply(BigInteger.valueOf(node)))
        .add(BigInteger.valueOf(centre + 1L))
        .toString();
  }

  /**
   * Returns all nodes, those of the first data centre first.
   *
   * @return as many as were asked for, also those that don't run
   */
  public List<CassandraServer> nodes() {
    return nodes;
  }

  /**
   * Returns one node.
   *
   * @param index from 0
   * @return the node at 127.0.0.(index + 1)
   */
  public CassandraServer node(int index) {
    return nodes.get(index);
  }

  /**
   * Returns the nodes of a data centre.
   *
   * @param number 1 for {@code datacenter1}
   * @return as many as it was started with
   */
  public List<CassandraServer> dataCentre(int number) {
    String name = nameOf(number);
    return nodes.stream().filter(each -> each.dataCentre().equals(name)).toList();
  }

  /**
   * Connects as {@link CassandraServer#USER}.
   *
   * @param number of the data centre whose nodes are asked
   * @return a session that the caller closes
   */
  public CqlSession session(int number) {
    return dataCentre(number).stream()
        .filter(CassandraServer::running)
        .findFirst()
        .orElseThrow()
        .session();
  }

  /**
   * Makes or changes keyspaces and tables, and waits until each running node knows of it.
   *
   * @param statements executed one after another by the first node
   */
  public void define(String... statements) {
    for (String statement : statements) {
      nodes.get(0).execute(statement);
      awaitSameSchema();
    }
  }

  /** Waits until all running nodes know the same keyspaces and tables. */
  public void awaitSameSchema() {
    Await.until(
        "all nodes know the same tables",
        () ->
            nodes.stream()
                    .filter(CassandraServer::running)
                    .map(CassandraServer::schema)
                    .distinct()
                    .count()
                == 1);
  }

  /**
   * Drops from now on all that these nodes send to the others and the others to them. Clients reach
   * all, and connections stay open, as when packets are lost. A node that is killed and restarted
   * isn't cut off any more; one that is frozen can't obey.
   *
   * @param these nodes that go on to hear each other
   */
  public void cutOff(List<CassandraServer> these) {
    List<CassandraServer> others = nodes.stream().filter(each -> !these.contains(each)).toList();
    cut(these, others);
    cut(others, these);
  }

  private static void cut(List<CassandraServer> these, List<CassandraServer> others) {
    List<String> addresses = others.stream().map(CassandraServer::address).toList();
    these.stream().filter(CassandraServer::running).forEach(each -> each.cutFrom(addresses));
  }

  /** Lets everything through again, and waits until each running node believes the others up. */
  public void join() {
    nodes.stream().filter(CassandraServer::running).forEach(each -> each.cutFrom(List.of()));
    awaitAllLive();
  }

  /** Waits until each running node believes all that run to be up. */
  public void awaitAllLive() {
    List<CassandraServer> running = nodes.stream().filter(CassandraServer::running).toList();
    List<String> addresses = running.stream().map(CassandraServer::address).sorted().toList();
    for (CassandraServer node : running) {
      Await.until(node.address() + " sees " + addresses, () -> node.live().containsAll(addresses));
    }
  }

  /** Ends all nodes and removes their files. Idempotent. */
  @Override
  public void close() {
    nodes.forEach(CassandraServer::close);
  }
}
