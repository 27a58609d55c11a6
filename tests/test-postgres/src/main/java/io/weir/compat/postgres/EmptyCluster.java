package io.weir.compat.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The files of a server of a version that has never been used. They are made once for each user of
 * the machine and kept in the temporary folder: to copy them takes a tenth of the time.
 */
final class EmptyCluster {
  private final int major;
  private final Path kept;

  EmptyCluster(int major) {
    this(
        major,
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "weir-postgres-" + major + "-of-" + System.getProperty("user.name")));
  }

  EmptyCluster(int major, Path kept) {
    this.major = major;
    this.kept = kept;
  }

  /** Copies them to where a server is to find them. */
  void copyTo(Path data) {
    if (!isComplete()) {
      keep();
    }
    DataDirectory.copy(kept, data);
  }

  /** Returns whether they are there, and no cleaner of temporary folders has removed old ones. */
  private boolean isComplete() {
    return Files.exists(kept.resolve("PG_VERSION"))
        && Files.exists(kept.resolve("global/pg_control"));
  }

  /** Several JVMs may do so at once: the first one's is kept, and others read it at once. */
  private void keep() {
    boolean isDamaged = Files.exists(kept);
    Path made = DataDirectory.temporary("postgres-empty", true);
    Path data = made.resolve("data");
    try {
      make(data);
      DataDirectory.copy(data, made.resolve("kept"));
      if (isDamaged && !isComplete()) {
        DataDirectory.delete(kept);
      }
      Files.move(made.resolve("kept"), kept, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!isComplete()) {
        throw new UncheckedIOException(e);
      }
    } finally {
      DataDirectory.delete(made);
    }
  }

  private void make(Path data) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(PostgresServer.freePort())
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPGStartupWait(PostgresServer.PATIENCE);
    PostgresBinaries.choose(builder, major);
    builder.start().close();
  }
}
