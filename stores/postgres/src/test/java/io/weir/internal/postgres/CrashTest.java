package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.Seeds;
import io.weir.store.Epoch;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Kills a server that commits without waiting for the disk, and that writes its log so seldom that
 * whatever isn't waited for is lost.
 */
class CrashTest {
  private static final int CRASHES = Seeds.deep() ? 6 : 1;

  @Test
  void takesBackNoBeatThatWasHeard() {
    try (PostgresServer server =
            PostgresServer.start(PostgresServer.NEWEST, Map.of("wal_writer_delay", "10s"));
        PostgresStore store = Databases.open(server.url("postgres"))) {
      Epoch[] heard = {ask(store, Epoch.NONE)};
      for (int i = 0; i < CRASHES; i++) {
        long first = heard[0].beats();
        Await.until(
            "it beats",
            () -> {
              heard[0] = ask(store, heard[0]);
              return heard[0].beats() > first + 2;
            });
        server.kill();
        server.restart();
        Await.until(
            "it is reached again",
            () -> {
              try {
                Epoch next = ask(store, heard[0]);
                assertEquals(heard[0].id(), next.id(), "the data is still the same");
                assertFalse(next.wiped());
                return true;
              } catch (CompletionException away) {
                return false;
              }
            });
      }
    }
  }

  private static Epoch ask(PostgresStore store, Epoch known) {
    return store.epoch(0, known).toCompletableFuture().join();
  }
}
