package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmptyClusterTest {
  private static final String VERSION = "PG_VERSION";

  @TempDir private Path folder;

  @Test
  void isMadeOnceAndAgainIfACleanerRemovedSomeOfIt() throws IOException {
    Path kept = folder.resolve("kept");
    Files.createDirectory(kept);
    Files.writeString(kept.resolve("pg_hba.conf"), "left by a cleaner");
    EmptyCluster cluster = new EmptyCluster(PostgresServer.NEWEST, kept);
    cluster.copyTo(folder.resolve("one"));
    assertEquals("18", Files.readString(folder.resolve("one").resolve(VERSION)).strip());
    assertFalse(Files.readString(folder.resolve("one/pg_hba.conf")).contains("cleaner"));

    Files.writeString(kept.resolve(VERSION), "kept");
    cluster.copyTo(folder.resolve("two"));
    assertEquals("kept", Files.readString(folder.resolve("two").resolve(VERSION)));
  }

  @Test
  void whatIsToSurviveTheMachinesEndIsOnTheDisk() {
    Path durable = DataDirectory.temporary("postgres-test", true);
    try {
      assertTrue(durable.startsWith(System.getProperty("java.io.tmpdir")), durable::toString);
    } finally {
      DataDirectory.delete(durable);
    }
  }
}
