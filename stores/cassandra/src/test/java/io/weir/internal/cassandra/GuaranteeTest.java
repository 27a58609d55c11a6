package io.weir.internal.cassandra;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ANY;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.EACH_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.TWO;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether whoever reads after a write has read a replica that has it. */
class GuaranteeTest {
  private static final Map<String, String> ONE_OF_THREE =
      Map.of("class", "NetworkTopologyStrategy", "east", "3");
  private static final Map<String, String> TWO_OF_THREE =
      Map.of("class", "NetworkTopologyStrategy", "east", "3", "west", "3");

  @Test
  void aQuorumOfOneDataCentreIsExactInIt() {
    assertEquals(new Guarantee(true, true), of(LOCAL_QUORUM, LOCAL_QUORUM, ONE_OF_THREE));
    assertEquals(new Guarantee(true, false), of(LOCAL_QUORUM, LOCAL_QUORUM, TWO_OF_THREE));
    assertEquals(new Guarantee(true, false), of(LOCAL_QUORUM, EACH_QUORUM, TWO_OF_THREE));
  }

  @Test
  void aQuorumOfAllIsExactEverywhere() {
    assertEquals(new Guarantee(true, true), of(QUORUM, QUORUM, TWO_OF_THREE));
    assertEquals(new Guarantee(true, true), of(ONE, ALL, TWO_OF_THREE));
    assertEquals(new Guarantee(false, false), of(LOCAL_QUORUM, QUORUM, TWO_OF_THREE));
  }

  @Test
  void oneOfThreeMayMissWhatAnotherHas() {
    assertEquals(new Guarantee(false, false), of(ONE, ONE, ONE_OF_THREE));
    assertEquals(new Guarantee(false, false), of(ONE, ANY, ONE_OF_THREE));
    assertEquals(new Guarantee(false, false), of(LOCAL_ONE, LOCAL_QUORUM, ONE_OF_THREE));
    assertEquals(new Guarantee(true, true), of(TWO, LOCAL_QUORUM, ONE_OF_THREE));
  }

  @Test
  void ofOneReplicaOneIsAll() {
    Map<String, String> simple = Map.of("class", "SimpleStrategy", "replication_factor", "1");
    assertEquals(new Guarantee(true, true), of(ONE, ONE, simple));
    assertEquals(new Guarantee(false, false), of(ONE, ANY, simple));
  }

  private static Guarantee of(
      DefaultConsistencyLevel read,
      DefaultConsistencyLevel write,
      Map<String, String> replication) {
    return Guarantee.of(new Levels(read, write), replication, "east");
  }
}
