package io.weir.compat.cassandra;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.weir.seeds.DeepOnly;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@DeepOnly
class CassandraClusterTest {
  @BeforeAll
  static void assumeThatItRunsHere() {
    CassandraCluster.assumePresent();
  }

  @Test
  void threeNodesDoWithoutOneThatIsFrozenOrKilled() {
    try (CassandraCluster cluster = CassandraCluster.start(3)) {
      makeTable(cluster, Map.of("datacenter1", 3));
      CassandraServer node = cluster.node(0);
      cluster.node(2).freeze();
      write(node, 1, ConsistencyLevel.LOCAL_QUORUM);
      assertThrows(DriverException.class, () -> write(node, 2, ConsistencyLevel.ALL));
      cluster.node(2).thaw();
      cluster.node(1).kill();
      write(node, 3, ConsistencyLevel.LOCAL_QUORUM);
      assertTrue(has(node, 1, ConsistencyLevel.LOCAL_QUORUM));
      cluster.node(1).restart();
      cluster.awaitAllLive();
      write(cluster.node(1), 4, ConsistencyLevel.ALL);
    }
  }

  @Test
  void twoDataCentresDontHearOfEachOtherUntilTheyAreJoined() {
    try (CassandraCluster cluster = CassandraCluster.start(1, 1)) {
      makeTable(cluster, Map.of("datacenter1", 1, "datacenter2", 1));
      CassandraServer here = cluster.node(0);
      CassandraServer there = cluster.node(1);
      write(here, 1, ConsistencyLevel.ALL);
      cluster.cutOff(cluster.dataCentre(2));
      write(here, 2, ConsistencyLevel.LOCAL_QUORUM);
      write(there, 3, ConsistencyLevel.LOCAL_QUORUM);
      assertThrows(DriverException.class, () -> write(here, 4, ConsistencyLevel.QUORUM));
      assertFalse(has(there, 2, ConsistencyLevel.LOCAL_ONE));
      assertFalse(has(here, 3, ConsistencyLevel.LOCAL_ONE));
      cluster.join();
      Await.until("2 is there", () -> has(there, 2, ConsistencyLevel.LOCAL_ONE));
      Await.until("3 is here", () -> has(here, 3, ConsistencyLevel.LOCAL_ONE));
      write(here, 5, ConsistencyLevel.ALL);
    }
  }

  private static void makeTable(CassandraCluster cluster, Map<String, Integer> replicas) {
    String each =
        replicas.entrySet().stream()
            .map(entry -> "'" + entry.getKey() + "': " + entry.getValue())
            .collect(Collectors.joining(", "));
    cluster.define(
        "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', " + each + "}",
        "CREATE TABLE k.t (a int PRIMARY KEY)");
  }

  private static void write(CassandraServer node, int number, ConsistencyLevel level) {
    node.execute(
        SimpleStatement.newInstance("INSERT INTO k.t (a) VALUES (?)", number)
            .setConsistencyLevel(level));
  }

  private static boolean has(CassandraServer node, int number, ConsistencyLevel level) {
    SimpleStatement read = SimpleStatement.newInstance("SELECT a FROM k.t WHERE a = ?", number);
    return node.execute(read.setConsistencyLevel(level)).one() != null;
  }
}
