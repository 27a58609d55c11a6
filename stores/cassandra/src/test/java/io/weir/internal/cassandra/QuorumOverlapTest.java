package io.weir.internal.cassandra;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ANY;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.EACH_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_SERIAL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.SERIAL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.TWO;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.weir.internal.store.MisconfiguredStoreException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Determines whether a read after a write always reaches a replica that has the write. */
class QuorumOverlapTest {
  private static final Map<String, String> ONE_OF_THREE =
      Map.of("class", "NetworkTopologyStrategy", "east", "3");
  private static final Map<String, String> TWO_OF_THREE =
      Map.of("class", "NetworkTopologyStrategy", "east", "3", "west", "3");

  @Test
  void aQuorumOfOneDataCentreIsExactInIt() {
    assertOverlap(true, true, of(LOCAL_QUORUM, LOCAL_QUORUM, ONE_OF_THREE));
    assertOverlap(true, false, of(LOCAL_QUORUM, LOCAL_QUORUM, TWO_OF_THREE));
    assertOverlap(true, false, of(LOCAL_QUORUM, EACH_QUORUM, TWO_OF_THREE));
  }

  @Test
  void aQuorumOfAllIsExactEverywhere() {
    assertOverlap(true, true, of(QUORUM, QUORUM, TWO_OF_THREE));
    assertOverlap(true, true, of(ONE, ALL, TWO_OF_THREE));
    assertOverlap(false, false, of(LOCAL_QUORUM, QUORUM, TWO_OF_THREE));
  }

  @Test
  void oneOfThreeMayMissWhatAnotherHas() {
    assertOverlap(false, false, of(ONE, ONE, ONE_OF_THREE));
    assertOverlap(false, false, of(ONE, ANY, ONE_OF_THREE));
    assertOverlap(false, false, of(LOCAL_ONE, LOCAL_QUORUM, ONE_OF_THREE));
    assertOverlap(true, true, of(TWO, LOCAL_QUORUM, ONE_OF_THREE));
  }

  @Test
  void ofOneReplicaOneIsAll() {
    Map<String, String> simple = Map.of("class", "SimpleStrategy", "replication_factor", "1");
    assertOverlap(true, true, of(ONE, ONE, simple));
    assertOverlap(false, false, of(ONE, ANY, simple));
  }

  /** Also where no level names the others: of one and two replicas in two centres all are asked. */
  @Test
  void transactionsSpanWhatClaimsSpan() {
    Map<String, String> one = Map.of("class", "NetworkTopologyStrategy", "east", "1");
    Map<String, String> oneEach =
        Map.of("class", "NetworkTopologyStrategy", "east", "1", "west", "1");
    assertEquals(SERIAL, of(ONE, TWO, oneEach).serial());
    assertEquals(SERIAL, of(QUORUM, QUORUM, TWO_OF_THREE).serial());
    assertEquals(SERIAL, of(ONE, ALL, TWO_OF_THREE).serial());
    assertEquals(LOCAL_SERIAL, of(LOCAL_QUORUM, LOCAL_QUORUM, TWO_OF_THREE).serial());
    assertEquals(LOCAL_SERIAL, of(ONE, ONE, one).serial());
  }

  @Test
  void aDataCentreWithoutReplicasIsRefusedWhereTheyAreAsked() {
    Map<String, String> elsewhere = Map.of("class", "NetworkTopologyStrategy", "west", "3");
    MisconfiguredStoreException refused =
        assertThrows(
            MisconfiguredStoreException.class, () -> of(LOCAL_QUORUM, LOCAL_QUORUM, elsewhere));
    assertTrue(
        refused.getMessage().contains("no replica in the data centre east, only in [west]"),
        refused.getMessage());
    assertThrows(MisconfiguredStoreException.class, () -> of(LOCAL_ONE, ALL, elsewhere));
    assertOverlap(true, true, of(QUORUM, QUORUM, elsewhere));
  }

  private static void assertOverlap(boolean here, boolean everywhere, QuorumOverlap actual) {
    assertEquals(here, actual.here());
    assertEquals(everywhere, actual.everywhere());
  }

  private static QuorumOverlap of(
      DefaultConsistencyLevel read,
      DefaultConsistencyLevel write,
      Map<String, String> replication) {
    return QuorumOverlap.of(new ConsistencyLevels(read, write), replication, "east");
  }
}
