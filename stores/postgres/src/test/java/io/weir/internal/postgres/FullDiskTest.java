package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.DeepOnly;
import io.weir.seeds.RequiredPrograms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fills the disk of a PostgreSQL: a file system of 32 MB in a namespace of its own, which takes a
 * tablespace.
 */
@DeepOnly
class FullDiskTest {
  private static final int LIMIT = 10;

  @TempDir private Path disk;
  private final PostgresServer server = PostgresServer.start();
  private Process process;
  private String database = "";
  private int callers;

  @BeforeEach
  void startOnASmallDisk() throws IOException, InterruptedException {
    RequiredPrograms.assumePresent("unshare", "mount");
    assumeMountsAreAllowed();
    String postgres = server.url("postgres");
    String options =
        Files.readString(Path.of(text(postgres, "SHOW data_directory"), "postmaster.opts"));
    server.stop();
    process =
        new ProcessBuilder(
                "unshare",
                "-Urm",
                "sh",
                "-c",
                "mount -t tmpfs -o size=32m none "
                    + disk
                    + " && exec unshare -U "
                    + options.strip())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Await.until("it is started", () -> !text(postgres, "SELECT 1").isEmpty());
    Databases.run(postgres, "CREATE TABLESPACE small LOCATION '" + disk + "'");
    database = server.newDatabase();
    String name = database.replaceAll(".*/(\\w+)\\?.*", "$1");
    Databases.run(postgres, "ALTER DATABASE " + name + " SET TABLESPACE small");
  }

  private void assumeMountsAreAllowed() throws IOException, InterruptedException {
    boolean allowed =
        new ProcessBuilder("unshare", "-Urm", "mount", "-t", "tmpfs", "none", disk.toString())
                .start()
                .waitFor()
            == 0;
    RequiredPrograms.assumePresent(allowed, "the right to mount a file system");
  }

  @AfterEach
  void end() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
    server.close();
  }

  /** The first value, or nothing while the server is away. */
  private static String text(String url, String sql) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException away) {
      return "";
    }
  }

  private void onTheServer(String command) {
    Databases.run(server.url("postgres"), "COPY (SELECT 1) TO PROGRAM '" + command + "'");
  }

  @Test
  void newCallersFailUntilThereIsRoomAndNothingIsForgotten() {
    try (PostgresStore store =
        Databases.open(database, Databases.PATIENT, new StoreClock(Ticker.system()))) {
      assertEquals(7, take(store, "known", 7));
      onTheServer("cat > /dev/null; cat /dev/zero > " + disk + "/ballast; true");
      Await.until("there is no room", () -> failure(store).contains("(53100)"));
      onTheServer("cat > /dev/null; rm " + disk + "/ballast");
      Await.until("there is room", () -> failure(store).isEmpty());
      assertEquals(0, take(store, "known", 4));
      assertEquals(3, take(store, "known", 3));
    }
  }

  private static long take(PostgresStore store, String caller, long permits) {
    return store
        .execute(List.of(Claim.of(bucket(caller), permits, LIMIT, LIMIT)))
        .toCompletableFuture()
        .join()
        .get(0)
        .orElseThrow()
        .permits();
  }

  private static BucketId bucket(String caller) {
    BucketSpec spec =
        BucketSpec.builder("disk")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of(caller));
  }

  /** The failure of claims of many new callers; empty if all are granted. */
  private String failure(PostgresStore store) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      claims.add(Claim.of(bucket("caller" + callers++), 1, LIMIT, LIMIT));
    }
    try {
      List<?> granted = store.execute(claims).toCompletableFuture().join();
      return granted.contains(Optional.empty()) ? "some" : "";
    } catch (CompletionException failed) {
      return String.valueOf(failed.getCause().getMessage());
    }
  }
}
