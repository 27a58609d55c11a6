package io.weir.internal.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the table if it is missing, or reports the SQL that makes it; and checks that it was made
 * for the arithmetic of this node.
 *
 * <p>Waits for PostgreSQL. Safe for concurrent use.
 */
final class PostgresSchema {
  private static final Pattern FORMAT =
      Pattern.compile("format (\\d+), leases of at least (\\d+) µs");

  /** The format of rows. */
  private static final int VERSION = 1;

  /** Another node was faster. */
  private static final Set<String> EXISTS = Set.of("42P07", "42P06", "23505", "42710");

  private static final String NO_RIGHT = "42501";

  private final PostgresSettings settings;
  private final PostgresFailureLog log;
  private final long minLifeMicros;
  private volatile boolean checked;

  PostgresSchema(PostgresSettings settings, PostgresFailureLog log, long minLifeMicros) {
    this.settings = settings;
    this.log = log;
    this.minLifeMicros = minLifeMicros;
  }

  /** Makes the next use check the table again. */
  void recheck() {
    checked = false;
  }

  /**
   * Makes what is missing, once.
   *
   * @throws MisconfiguredException if an operator has to do it
   */
  void prepare(PostgresSession session) throws SQLException {
    if (!checked) {
      session.inConnection(
          connection -> {
            check(connection);
            return 0;
          });
      checked = true;
    }
  }

  private void check(Connection connection) throws SQLException {
    String comment = comment(connection);
    if (comment == null) {
      create(connection);
      comment = comment(connection);
    }
    Matcher format = FORMAT.matcher(comment == null ? "" : comment);
    if (!format.find()) {
      throw new MisconfiguredException(
          "the table "
              + settings.table()
              + " has no comment by Weir, so it may not be Weir's. Choose another weir.prefix, or run\n"
              + commentOn());
    }
    if (Integer.parseInt(format.group(1)) != VERSION
        || Long.parseLong(format.group(2)) != minLifeMicros) {
      throw new MisconfiguredException(
          "the table "
              + settings.table()
              + " has "
              + format.group()
              + ", and this version of Weir needs "
              + format()
              + ". Use the same version on all nodes, or another weir.prefix");
    }
    if (isUnlogged(connection) != (settings.durability() == Durability.UNLOGGED)) {
      log.warn(
          "weir.store.postgres.durability doesn't match the table. To change it, run\nALTER TABLE "
              + settings.table()
              + " SET "
              + (settings.durability() == Durability.UNLOGGED ? "UNLOGGED;" : "LOGGED;"));
    }
  }

  /** The comment of the table; null if there is no table. */
  private @Nullable String comment(Connection connection) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT coalesce(obj_description(c.oid, 'pg_class'), '') FROM pg_catalog.pg_class c"
                + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname = ? AND c.relname = ?")) {
      return found(query);
    }
  }

  private boolean isUnlogged(Connection connection) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT c.relpersistence::text FROM pg_catalog.pg_class c"
                + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname = ? AND c.relname = ?")) {
      return "u".equals(found(query));
    }
  }

  private @Nullable String found(PreparedStatement query) throws SQLException {
    query.setString(1, settings.schema());
    query.setString(2, settings.prefix() + "_buckets");
    try (ResultSet rows = query.executeQuery()) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private void create(Connection connection) throws SQLException {
    if (!settings.createSchema()) {
      throw missing("weir.store.postgres.create-schema is false");
    }
    boolean hasSchema = hasSchema(connection);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      if (!hasSchema) {
        statement.execute("CREATE SCHEMA IF NOT EXISTS \"" + settings.schema() + "\"");
      }
      statement.execute(createTable());
      statement.execute(commentOn());
      connection.commit();
    } catch (SQLException failure) {
      connection.rollback();
      String state = Failures.state(failure);
      if (state.equals(NO_RIGHT)) {
        throw missing("its user may not create tables");
      }
      if (!EXISTS.contains(state)) {
        throw failure;
      }
    } finally {
      if (!connection.isClosed()) {
        connection.setAutoCommit(true);
      }
    }
  }

  private boolean hasSchema(Connection connection) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?")) {
      query.setString(1, settings.schema());
      try (ResultSet rows = query.executeQuery()) {
        return rows.next();
      }
    }
  }

  private MisconfiguredException missing(String why) {
    return new MisconfiguredException(
        "the table "
            + settings.table()
            + " is missing, and "
            + why
            + ". Run as an administrator, with the user's name instead of WEIR_USER:\n"
            + sql());
  }

  /** The SQL that makes everything, and lets a user count. */
  String sql() {
    return "CREATE SCHEMA IF NOT EXISTS \""
        + settings.schema()
        + "\";\n"
        + createTable()
        + ";\n"
        + commentOn()
        + ";\n"
        + settings.grants();
  }

  private String format() {
    return "format " + VERSION + ", leases of at least " + minLifeMicros + " µs";
  }

  private String commentOn() {
    return "COMMENT ON TABLE " + settings.table() + " IS 'Rate limits, by Weir: " + format() + "'";
  }

  /**
   * The SQL of the table. Only the key has an index, and pages keep room, so that a row that
   * changes stays in its page and in its place in the index. Most states are too small and too
   * random to be compressed.
   */
  private String createTable() {
    return (settings.durability() == Durability.UNLOGGED
            ? "CREATE UNLOGGED TABLE IF NOT EXISTS "
            : "CREATE TABLE IF NOT EXISTS ")
        + settings.table()
        + " (\n"
        + """
          key bytea PRIMARY KEY,
          version bigint NOT NULL,
          expires_at bigint NOT NULL,
          state bytea NOT NULL
        ) WITH (fillfactor = 70,
          autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000,
          autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2)""";
  }
}
