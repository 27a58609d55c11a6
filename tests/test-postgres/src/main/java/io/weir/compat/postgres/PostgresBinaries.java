package io.weir.compat.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.InputStream;

/** Finds the programs of a PostgreSQL on the class path. */
final class PostgresBinaries {
  private PostgresBinaries() {}

  /**
   * Returns whether they are there. The oldest and the newest always are where this module's jar or
   * classes are; those between are resources of the modules that test them, with {@code -Pdeep}.
   */
  static boolean has(int major) {
    return major == PostgresServer.NEWEST
        || PostgresBinaries.class.getResource(resource(major)) != null;
  }

  /** Has a server of this version started. */
  static void choose(EmbeddedPostgres.Builder builder, int major) {
    if (!has(major)) {
      throw new IllegalStateException(
          "there is no PostgreSQL "
              + major
              + " on the class path: the module weir-compat-postgres brings "
              + PostgresServer.OLDEST
              + " and "
              + PostgresServer.NEWEST
              + ", and with -Pdeep a module whose POM says when it gets those between"
              + " (weir.phase.postgres-between) has them all");
    }
    if (major != PostgresServer.NEWEST) { // which is the one that the library finds by itself
      builder.setPgBinaryResolver((system, machine) -> open(major));
    }
  }

  private static InputStream open(int major) {
    InputStream found = PostgresBinaries.class.getResourceAsStream(resource(major));
    assert found != null : major;
    return found;
  }

  private static String resource(int major) {
    return "postgres-" + major + ".txz";
  }
}
