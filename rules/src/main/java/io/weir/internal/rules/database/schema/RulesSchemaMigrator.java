package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes and migrates the tables, or reports missing ones. Each script runs once, whichever nodes
 * start at the same time, and a start that was cut off is completed by the next.
 */
public final class RulesSchemaMigrator {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Set<String> NO_RIGHT = Set.of("42501", "25006", "90040", "90096", "90097");

  /** A lock that couldn't be acquired in time, in PostgreSQL and H2. */
  private static final Set<String> LOCKED = Set.of("55P03", "HYT00");

  /**
   * The classes of SQLSTATE that say nothing of the tables: the connection broke, the transaction
   * was rolled back, the server has no connection or memory left.
   */
  private static final Set<String> PASSING = Set.of("08", "40", "53");

  /** The server shuts down or starts, in PostgreSQL. */
  private static final String RESTART = "57P0";

  /** Somebody else changed the rights of the same table at the same time, in PostgreSQL. */
  private static final String INTERNAL = "XX000";

  private static final String LOCK_HOLDERS =
      "SELECT DISTINCT 'process ' || a.pid || ' (' || coalesce(nullif(a.application_name, ''), 'of"
          + " no name') || ', in a transaction since ' || a.xact_start || ') on ' ||"
          + " l.relation::regclass FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE"
          + " l.granted AND l.relation IS NOT NULL AND a.pid <> pg_backend_pid() AND a.datname ="
          + " current_database() AND l.mode <> 'AccessShareLock' AND l.relation > 16383 LIMIT 5";

  private static final String FAILED = "Weir's tables can't be created";

  /** The number of PostgreSQL's advisory lock: "weir". */
  static final long LOCK = 0x77656972;

  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int LOCK_ATTEMPTS = 3;
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 250;

  private final TransactionRunner migrations;
  private final TransactionRunner transactions;
  private final SchemaName name;
  private final SchemaOwners owners;

  /**
   * Prepares to migrate a database.
   *
   * @param owners roles that may own parts of it, beside those that always may
   */
  public RulesSchemaMigrator(
      DataSource database, TransactionRunner transactions, SchemaName name, Set<String> owners) {
    this.migrations = new TransactionRunner(database, ANSWER, name);
    this.transactions = transactions;
    this.name = name;
    this.owners = new SchemaOwners(name, owners);
  }

  /**
   * Makes what is missing, or reports it.
   *
   * @param migrate false changes nothing
   * @throws RulesUnavailableException if there are no rules that could be read
   * @throws IllegalStateException if a newer version of Weir has made the tables, another history
   *     contradicts its own, or a stranger owns parts of the schema
   */
  public RulesSchema run(boolean migrate) {
    RulesSchema schema = look();
    @Nullable RulesUnavailableException failure = null;
    if (migrate) {
      schema.requireKnownScripts();
      if (schema.mayMigrate() && !schema.isMigrated()) {
        failure = migrate(schema);
        schema = look();
      }
    }
    report(schema, failure);
    return schema;
  }

  private RulesSchema look() {
    return transactions.read(
        "the rules database can't be read",
        connection -> {
          owners.requireTrusted(connection); // before anything of it is read
          return new RulesSchema(connection, name);
        });
  }

  /**
   * Migrates; returns null if all went well. A migration that failed for now is tried again; but
   * only a few times if it waits for a lock, since other transactions queue behind it.
   */
  private @Nullable RulesUnavailableException migrate(RulesSchema schema) {
    for (int attempt = 1; ; attempt++) {
      try {
        for (MigrationScript script : schema.scriptsToRun()) {
          locked(schema, connection -> runOnce(connection, schema, script));
        }
        List<String> repairs = look().repairs();
        if (!repairs.isEmpty()) {
          locked(schema, connection -> execute(connection, schema, repairs));
        }
        return null;
      } catch (RulesUnavailableException e) {
        String state = SqlState.of(e);
        int most = LOCKED.contains(state) ? LOCK_ATTEMPTS : ATTEMPTS;
        if (attempt >= most || !mayPass(state, schema.dialect())) {
          return e;
        }
        rest();
      }
    }
  }

  /**
   * Returns whether a failure may be gone at the next attempt. In H2 most may: there other nodes
   * migrate at the same time.
   */
  private static boolean mayPass(String state, Dialect dialect) {
    return dialect == Dialect.H2
        ? !NO_RIGHT.contains(state)
        : state.isEmpty()
            || LOCKED.contains(state)
            || PASSING.contains(SqlState.kind(state))
            || state.startsWith(RESTART)
            || state.equals(INTERNAL);
  }

  /** Runs a script and notes it, unless another node has. */
  private static boolean runOnce(Connection connection, RulesSchema schema, MigrationScript script)
      throws SQLException {
    if (MigrationHistory.read(connection, schema.dialect()).has(script)) {
      return false;
    }
    List<String> statements = new ArrayList<>(script.statements());
    statements.add(MigrationHistory.add(script));
    return execute(connection, schema, statements);
  }

  private static boolean execute(Connection connection, RulesSchema schema, List<String> statements)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (schema.dialect() == Dialect.POSTGRESQL) {
        statement.setQueryTimeout(0); // to make an index takes long
      }
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    return true;
  }

  /**
   * Works while no other node migrates, in one transaction. H2 commits with each statement that
   * makes something, so another connection holds the lock there.
   */
  private void locked(RulesSchema schema, SqlWork<Boolean> work) {
    Dialect dialect = schema.dialect();
    var unused =
        migrations.together(
            FAILED,
            connection -> {
              try (Statement statement = connection.createStatement()) {
                if (dialect == Dialect.POSTGRESQL) {
                  statement.setQueryTimeout(0);
                  statement.execute("SET LOCAL statement_timeout = 0"); // whatever the role has
                  statement.execute("SET LOCAL lock_timeout = '20s'"); // which nobody queues behind
                  statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
                  statement.execute("SET LOCAL lock_timeout = '2s'");
                }
                if (!dialect.hasSchema(connection)) {
                  statement.execute(
                      "CREATE SCHEMA IF NOT EXISTS " + schema.name().identifier(dialect));
                }
                owners.requireTrusted(connection); // a stranger may have been faster
                if (!MigrationHistory.read(connection, dialect).isThere()) {
                  statement.execute(MigrationHistory.create(dialect));
                }
                if (dialect == Dialect.H2) {
                  MigrationHistory.lock(statement);
                  return migrations.together(FAILED, work);
                }
              }
              return work.on(connection);
            });
  }

  private static void rest() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(RulesSchema schema, @Nullable Exception failure) {
    List<String> missing = schema.missing();
    String sql = sql(schema, missing) + waitsFor(schema, failure);
    String obstacle = schema.obstacle();
    if (!obstacle.isEmpty()) {
      throw new RulesUnavailableException(obstacle + "; this SQL repairs it:\n" + sql, failure);
    }
    if (!schema.unreadable().isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Weir may not read these tables, so they count as missing: "
              + String.join(", ", schema.unreadable()));
    }
    if (!missing.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Some of Weir's tables are missing. This SQL creates them:\n" + sql,
          failure);
    } else if (failure != null) {
      LOG.log(
          Level.WARNING,
          "Weir's tables are there, but a script for them couldn't run."
              + waitsFor(schema, failure),
          failure);
    }
  }

  /** In one transaction: until the end, any role may execute a new function. */
  private static String sql(RulesSchema schema, List<String> statements) {
    String all = String.join(";\n", statements) + ";";
    return schema.dialect() == Dialect.POSTGRESQL && statements.size() > 1
        ? "BEGIN;\n" + all + "\nCOMMIT;"
        : all;
  }

  /** Finds the holders of locks that the migration waited for in vain. */
  private String waitsFor(RulesSchema schema, @Nullable Exception failure) {
    if (failure == null
        || schema.dialect() != Dialect.POSTGRESQL
        || !LOCKED.contains(SqlState.of(failure))) {
      return "";
    }
    try {
      return "\nIt waited for "
          + transactions.read("locks can't be read", RulesSchemaMigrator::lockHolders)
          + ". Restart this node when they have ended.";
    } catch (RulesUnavailableException unreadable) {
      return "";
    }
  }

  private static String lockHolders(Connection connection) throws SQLException {
    List<String> holders = Sql.of(LOCK_HOLDERS).all(connection, row -> row.getString(1));
    return holders.isEmpty() ? "a transaction that has ended" : String.join(", ", holders);
  }
}
