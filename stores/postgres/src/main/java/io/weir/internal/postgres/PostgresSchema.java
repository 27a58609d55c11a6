package io.weir.internal.postgres;

import io.weir.internal.store.MisconfiguredStoreException;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the table if it is missing, or reports the SQL that makes it; and checks that it was made
 * for the arithmetic of this node, and by nobody who could have it run code of theirs.
 *
 * <p>Waits for PostgreSQL. Safe for concurrent use.
 */
final class PostgresSchema {
  private static final Pattern FORMAT =
      Pattern.compile("format (\\d+), leases of at least (\\d+) microseconds");

  /** The format of rows. */
  private static final int VERSION = 2;

  /** Another node was faster. */
  private static final Set<String> EXISTS = Set.of("42P07", "42P06", "23505", "42710");

  private static final String NO_RIGHT = "42501";

  /**
   * Finds a table, with the strangers that own it or a function of its triggers: what they make
   * there runs as Weir's role. No strangers are Weir's role and those it is a member of, the owner
   * of the database and its members, superusers, and roles that are named. Until PostgreSQL 14 each
   * login role may make others its members, so memberships that a role has granted in itself don't
   * count.
   */
  private static final String FIND =
      "WITH RECURSIVE own (oid) AS (SELECT r.oid FROM pg_catalog.pg_roles r"
          + " WHERE r.rolname = current_user UNION SELECT m.roleid"
          + " FROM pg_catalog.pg_auth_members m JOIN own ON own.oid = m.member"
          + " WHERE m.grantor <> m.roleid)"
          + " SELECT coalesce(pg_catalog.obj_description(c.oid, 'pg_class'::pg_catalog.name), ''),"
          + " c.relpersistence = 'u', (SELECT pg_catalog.string_agg(CAST(r.rolname AS text), ', ')"
          + " FROM pg_catalog.pg_roles r JOIN pg_catalog.pg_database d"
          + " ON d.datname = pg_catalog.current_database()"
          + " WHERE (r.oid = c.relowner OR r.oid IN (SELECT p.proowner FROM pg_catalog.pg_trigger t"
          + " JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid WHERE t.tgrelid = c.oid))"
          + " AND NOT r.rolsuper AND r.rolname <> 'pg_database_owner'"
          + " AND NOT pg_catalog.pg_has_role(r.oid, d.datdba, 'MEMBER')"
          + " AND NOT EXISTS (SELECT 1 FROM own WHERE own.oid = r.oid)"
          + " AND CAST(r.rolname AS text)"
          + " <> ALL (pg_catalog.string_to_array(CAST(? AS text), ',')))"
          + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = ?::pg_catalog.name AND c.relname = ?::pg_catalog.name";

  private final PostgresSettings settings;
  private final StoreFailureLog log;
  private final long minLifeMicros;
  private volatile boolean checked;

  PostgresSchema(PostgresSettings settings, StoreFailureLog log, long minLifeMicros) {
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
   * @throws MisconfiguredStoreException if an operator has to do it
   */
  void prepare(PostgresSession session) throws SQLException {
    if (!isThere(session)) {
      check(create(session));
    }
  }

  /**
   * Checks the table, once, if there is one.
   *
   * @return whether there is
   * @throws MisconfiguredStoreException if an operator has to do something about it
   */
  boolean isThere(PostgresSession session) throws SQLException {
    if (!checked) {
      Optional<Found> found = find(session);
      if (found.isEmpty()) {
        return false;
      }
      check(found.get());
    }
    return true;
  }

  private void check(Found table) {
    requireTrusted(table);
    Matcher format = FORMAT.matcher(table.comment);
    if (!format.find()) {
      throw new MisconfiguredStoreException(
          "the table "
              + settings.table()
              + " has no comment by Weir, so it may not be Weir's. Choose another weir.prefix, or run\n"
              + commentOn());
    }
    if (Integer.parseInt(format.group(1)) != VERSION
        || Long.parseLong(format.group(2)) != minLifeMicros) {
      throw new MisconfiguredStoreException(
          "the table "
              + settings.table()
              + " has "
              + format.group()
              + ", and this version of Weir needs "
              + format()
              + ". Use the same version on all nodes, or another weir.prefix");
    }
    if (table.unlogged != (settings.get(PostgresSettings.DURABILITY) == Durability.UNLOGGED)) {
      log.warn(
          log
              + ": weir.store.postgres.durability doesn't match the table. To change it, run\nALTER TABLE "
              + settings.table()
              + " SET "
              + (settings.get(PostgresSettings.DURABILITY) == Durability.UNLOGGED
                  ? "UNLOGGED;"
                  : "LOGGED;"));
    }
    checked = true;
  }

  private void requireTrusted(Found table) {
    if (!table.strangers.isEmpty()) {
      throw new MisconfiguredStoreException(
          "the table "
              + settings.table()
              + ", or the function of a trigger on it, belongs to "
              + table.strangers
              + ", which can run code as Weir's role through it. If that is a role of yours, name"
              + " it in"
              + " weir.store.postgres.owners; else drop the table or the trigger, or choose another"
              + " weir.prefix");
    }
  }

  private Optional<Found> find(PostgresSession session) throws SQLException {
    return session.execute(
        FIND,
        PostgresSession.parameters(
            settings.get(PostgresSettings.OWNERS),
            settings.get(PostgresSettings.SCHEMA),
            settings.tableName()),
        (rows, sentAt) ->
            rows != null && rows.next()
                ? Optional.of(
                    new Found(
                        rows.getString(1),
                        rows.getBoolean(2),
                        Objects.requireNonNullElse(rows.getString(3), "")))
                : Optional.empty());
  }

  /**
   * Makes everything in one round trip, so that a node that is frozen meanwhile holds up no other.
   */
  private Found create(PostgresSession session) throws SQLException {
    if (!settings.get(PostgresSettings.CREATE_SCHEMA)) {
      throw missing("weir.store.postgres.create-schema is false");
    }
    String schema = hasSchema(session) ? "" : createSchema();
    // A table that is somebody else's keeps its comment.
    String table = createTable().replace("IF NOT EXISTS ", "");
    try {
      session.update(schema + table + ";\n" + commentOn());
    } catch (SQLException failure) {
      String state = Failures.state(failure);
      if (state.equals(NO_RIGHT)) {
        throw missing("its user may not create tables");
      }
      if (!EXISTS.contains(state)) {
        throw failure;
      }
      return find(session).orElseThrow(() -> new StoreUnavailableException(Failures.text(failure)));
    }
    return find(session)
        .orElseThrow(() -> new StoreUnavailableException("the table was dropped again"));
  }

  private boolean hasSchema(PostgresSession session) throws SQLException {
    return session.execute(
        "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?::pg_catalog.name",
        PostgresSession.parameters(settings.get(PostgresSettings.SCHEMA)),
        (rows, sentAt) -> rows != null && rows.next());
  }

  private MisconfiguredStoreException missing(String why) {
    return new MisconfiguredStoreException(
        "the table "
            + settings.table()
            + " is missing, and "
            + why
            + ". Run as an administrator, with the user's name instead of WEIR_USER:\n"
            + sql());
  }

  /** Returns the SQL that makes everything, and lets a user count. */
  String sql() {
    return createSchema() + createTable() + ";\n" + commentOn() + ";\n" + settings.grants();
  }

  private String createSchema() {
    return "CREATE SCHEMA IF NOT EXISTS \"" + settings.get(PostgresSettings.SCHEMA) + "\";\n";
  }

  private String format() {
    return "format " + VERSION + ", leases of at least " + minLifeMicros + " microseconds";
  }

  private String commentOn() {
    return "COMMENT ON TABLE " + settings.table() + " IS 'Rate limits, by Weir: " + format() + "'";
  }

  /**
   * Returns the SQL of the table. Only the key has an index, and pages keep room, so that a row
   * that changes stays in its page and in its place in the index. Most states are too small and too
   * random to be compressed.
   */
  private String createTable() {
    return (settings.get(PostgresSettings.DURABILITY) == Durability.UNLOGGED
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

  /**
   * A table that exists.
   *
   * @param comment empty if it has none
   * @param unlogged whether its rows aren't logged
   * @param strangers roles that can have it run code of theirs; empty if there are none
   */
  private record Found(String comment, boolean unlogged, String strangers) {}
}
