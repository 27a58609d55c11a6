package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.PostgresJars;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.UninterruptibleSql;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** Makes and migrates the tables by Flyway, with a history of its own, or reports missing ones. */
public final class RulesSchemaMigrator {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Set<String> NO_RIGHT = Set.of("42501", "25006", "90040", "90096", "90097");

  /** A lock that couldn't be acquired in time, in PostgreSQL and H2. */
  private static final Set<String> LOCKED = Set.of("55P03", "HYT00");

  private static final String LOCK_HOLDERS =
      "SELECT DISTINCT 'process ' || a.pid || ' (' || coalesce(nullif(a.application_name, ''), 'of"
          + " no name') || ', in a transaction since ' || a.xact_start || ') on ' ||"
          + " l.relation::regclass FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE"
          + " l.granted AND l.relation IS NOT NULL AND a.pid <> pg_backend_pid() AND a.datname ="
          + " current_database() AND l.mode <> 'AccessShareLock' AND l.relation > 16383 LIMIT 5";

  private static final Duration LOCK = Duration.ofSeconds(2);
  private static final Duration COMPLETION = Duration.ofSeconds(60);
  private static final int LOCK_ATTEMPTS = 3;
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 250;

  private final DataSource database;
  private final TransactionRunner transactions;

  public RulesSchemaMigrator(DataSource database, TransactionRunner transactions) {
    this.database = database;
    this.transactions = transactions;
  }

  /**
   * Makes what is missing, or reports it. Where all is there Flyway isn't started: that takes long,
   * as a start goes.
   *
   * @param migrate false changes nothing
   * @return the tables as they are then
   * @throws RulesUnavailableException if there are no rules that could be read
   * @throws IllegalStateException if tables are missing, and so is the jar that could make them
   */
  public ExistingRulesSchema run(boolean migrate) {
    ExistingRulesSchema before = look();
    ExistingRulesSchema schema = before;
    @Nullable Exception failure = null;
    if (migrate && before.mayMigrate() && canMigrate(before) && !before.isMigrated()) {
      noteAdopted(before);
      failure = migrate(before);
      schema = look();
      if (failure == null && !schema.missing().isEmpty()) {
        failure = complete(schema);
        schema = look();
      }
    }
    report(schema, failure);
    return schema;
  }

  /**
   * Returns whether Flyway can run. Without its part for PostgreSQL it would try for long, and keep
   * a connection each time.
   */
  private static boolean canMigrate(ExistingRulesSchema schema) {
    if (schema.dialect() != Dialect.POSTGRESQL || PostgresJars.hasMigrations()) {
      return true;
    }
    if (!schema.missing().isEmpty()) {
      throw new IllegalStateException(
          "Weir's tables can't be made. " + PostgresJars.addMigrations());
    }
    LOG.log(
        Level.WARNING,
        "Weir's tables are all there, but later versions can't migrate them. "
            + PostgresJars.addMigrations());
    return false;
  }

  /**
   * Notes which columns aren't Weir's, before the first migration adds those that are missing. The
   * columns were looked at before the history: a node that finds none of that was first.
   */
  private void noteAdopted(ExistingRulesSchema before) {
    if (before.addable().isEmpty()) {
      return;
    }
    var unused =
        transactions.together(
            "weir_adopted can't be written",
            connection -> {
              Dialect dialect = before.dialect();
              Set<String> known = Set.of(MigrationHistory.TABLE, AdoptedColumns.TABLE);
              if (!dialect.tables(connection, known).isEmpty()) {
                return false;
              }
              dialect.useSchema(connection, before.name());
              try (Statement statement = connection.createStatement()) {
                for (String sql : before.notesOfAdopted()) {
                  statement.execute(sql);
                }
              }
              return true;
            });
  }

  /**
   * Makes what is missing though Flyway has run: a table that was dropped and made again, say.
   * Returns null if all went well.
   */
  private @Nullable Exception complete(ExistingRulesSchema schema) {
    DataSource bounded = new MigrationDataSource(database, schema.dialect(), LOCK);
    try {
      return new TransactionRunner(bounded, COMPLETION)
          .together(
              "the rules' tables can't be completed",
              connection -> {
                schema.dialect().useSchema(connection, schema.name());
                try (Statement statement = connection.createStatement()) {
                  for (String sql : schema.missing()) {
                    statement.execute(sql);
                  }
                }
                return Optional.<Exception>empty();
              })
          .orElse(null);
    } catch (RulesUnavailableException refused) {
      return refused;
    }
  }

  private ExistingRulesSchema look() {
    return transactions.read("the rules database can't be read", ExistingRulesSchema::new);
  }

  /**
   * Migrates; returns null if all went well. Other nodes may migrate at the same time, so a failed
   * migration is tried again; but only a few times if it waits for a lock, since other transactions
   * queue behind it.
   */
  private @Nullable FlywayException migrate(ExistingRulesSchema schema) {
    Flyway flyway = flyway(schema);
    for (int attempt = 1; ; attempt++) {
      try {
        var unused = UninterruptibleSql.run(flyway::migrate);
        return null;
      } catch (FlywayException e) {
        boolean isLocked = LOCKED.contains(SqlState.of(e));
        if (attempt == (isLocked ? LOCK_ATTEMPTS : ATTEMPTS) || isFinal(e)) {
          return e;
        }
        forgetFailed(schema);
        rest();
      } catch (SQLException impossible) {
        throw new IllegalStateException("Flyway throws its own", impossible);
      }
    }
  }

  /**
   * Removes scripts that failed from Flyway's history in H2, which doesn't run them in
   * transactions: Flyway would refuse every later migration. The scripts make only what is missing,
   * so they can run again.
   */
  private void forgetFailed(ExistingRulesSchema schema) {
    if (schema.dialect() != Dialect.H2) {
      return;
    }
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      schema.dialect().useSchema(connection, schema.name());
      statement.executeUpdate(
          "DELETE FROM \"" + MigrationHistory.TABLE + "\" WHERE NOT \"success\"");
    } catch (SQLException notYet) {
      // There is no such table yet, or it is locked: the next attempt says so.
    }
  }

  /** Returns whether the database would refuse it the next time too: for want of a right. */
  private static boolean isFinal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException said
          && NO_RIGHT.contains(String.valueOf(said.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  private Flyway flyway(ExistingRulesSchema schema) {
    FluentConfiguration configuration =
        Flyway.configure(RulesSchemaMigrator.class.getClassLoader())
            .dataSource(new MigrationDataSource(database, schema.dialect(), LOCK))
            .table(MigrationHistory.TABLE)
            .locations(
                "classpath:io/weir/rules/db/common",
                "classpath:io/weir/rules/db/" + schema.dialect().folder())
            // The schema may have tables of the application, or bare tables to adopt.
            .baselineOnMigrate(true)
            .baselineVersion("0");
    if (schema.dialect() == Dialect.POSTGRESQL) {
      configuration.defaultSchema(schema.name()).createSchemas(false);
    }
    return configuration.load();
  }

  private static void rest() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(ExistingRulesSchema schema, @Nullable Exception failure) {
    List<String> bare = schema.bareColumnsMissing();
    List<String> needed = new ArrayList<>(schema.missing());
    needed.addAll(schema.grants());
    List<String> statements = new ArrayList<>(schema.path());
    statements.addAll(needed);
    String sql = String.join(";\n", statements) + ";" + waitsFor(schema, failure);
    if (!bare.isEmpty()) {
      throw new RulesUnavailableException(
          "the database lacks " + String.join(", ", bare) + "; this SQL adds it:\n" + sql, failure);
    }
    if (!schema.unreadable().isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Weir may not read these tables, so they count as missing: "
              + String.join(", ", schema.unreadable()));
    }
    if (!needed.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "Some of Weir's tables are missing. This SQL creates them:\n" + sql,
          failure);
    }
  }

  /** Finds the holders of locks that the migration waited for in vain. */
  private String waitsFor(ExistingRulesSchema schema, @Nullable Exception failure) {
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
    List<String> holders = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LOCK_HOLDERS)) {
      while (row.next()) {
        holders.add(row.getString(1));
      }
    }
    return holders.isEmpty() ? "a transaction that has ended" : String.join(", ", holders);
  }
}
