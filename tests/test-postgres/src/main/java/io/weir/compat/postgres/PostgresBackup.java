package io.weir.compat.postgres;

import java.nio.file.Path;

/**
 * A copy of all files of a server at one moment, for {@link PostgresServer#restore}.
 *
 * <p>A server that starts with it recovers as after a crash: committed rows are there, unlogged
 * tables are empty.
 */
public final class PostgresBackup implements AutoCloseable {
  private final Path directory = DataDirectory.temporary("postgres-backup", false);

  PostgresBackup(Path data) {
    DataDirectory.copy(data, files());
  }

  private Path files() {
    return directory.resolve("data");
  }

  /** Copies it to where a server is to find it. */
  void unpack(Path data) {
    DataDirectory.copy(files(), data);
  }

  /** Deletes it. Idempotent. */
  @Override
  public void close() {
    DataDirectory.delete(directory);
  }
}
