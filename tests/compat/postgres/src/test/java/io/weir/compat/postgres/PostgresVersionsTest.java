package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.DeepOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresVersionsTest {
  @ParameterizedTest
  @ValueSource(ints = {PostgresServer.OLDEST, PostgresServer.NEWEST})
  void startsTheOldestAndTheNewest(int major) {
    assertVersion(major);
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17})
  @DeepOnly
  void startsThoseBetween(int major) {
    assertVersion(major);
  }

  private static void assertVersion(int major) {
    String version = Sql.ask(PostgresServer.shared(major).newDatabase(), "SHOW server_version_num");
    assertEquals(major, Integer.parseInt(version) / 10_000);
  }

  @Test
  void saysWhichVersionsThereAre() {
    Exception refused = assertThrows(IllegalStateException.class, () -> PostgresServer.start(13));
    assertTrue(
        refused.getMessage().contains("no PostgreSQL 13 on the class path"), refused.getMessage());
  }
}
