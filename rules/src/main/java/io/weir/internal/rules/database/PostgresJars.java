package io.weir.internal.rules.database;

import org.flywaydb.core.Flyway;

/** Finds the jars that only PostgreSQL needs, and that an application may lack. */
public final class PostgresJars {
  /** The class of PostgreSQL's JDBC driver. */
  public static final String DRIVER = "org.postgresql.Driver";

  private static final String MIGRATIONS =
      "org.flywaydb.database.postgresql.PostgreSQLDatabaseType";

  /** The same, as part of Flyway 9. */
  private static final String EARLIER_MIGRATIONS =
      "org.flywaydb.core.internal.database.postgresql.PostgreSQLDatabaseType";

  private PostgresJars() {}

  /** Returns whether the JDBC driver is on the class path. */
  public static boolean hasDriver() {
    return isThere(DRIVER, PostgresJars.class.getClassLoader());
  }

  /** Returns what to do if {@link #hasDriver} is false. */
  public static String addDriver() {
    return "PostgreSQL's JDBC driver isn't on the class path: add org.postgresql:postgresql";
  }

  /** Returns whether Flyway can migrate a PostgreSQL. */
  public static boolean hasMigrations() {
    ClassLoader loader = Flyway.class.getClassLoader(); // where Flyway looks for it
    return isThere(MIGRATIONS, loader) || isThere(EARLIER_MIGRATIONS, loader);
  }

  /** Returns what to do if {@link #hasMigrations} is false. */
  public static String addMigrations() {
    return "Flyway's part for PostgreSQL isn't on the class path: add"
        + " org.flywaydb:flyway-database-postgresql in the version of flyway-core, or set"
        + " weir.rules.migrate=false";
  }

  private static boolean isThere(String type, ClassLoader loader) {
    try {
      Class<?> found = Class.forName(type, false, loader);
      return found.getName().equals(type);
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }
}
