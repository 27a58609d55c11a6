package io.weir.internal.rules.database;

import io.weir.rules.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** Makes and migrates the tables by Flyway, with a history of its own; or tells what is missing. */
final class Migration {
  /** Where Flyway notes what it has done, apart from an application's own. */
  static final String HISTORY_TABLE = "weir_schema_history";

  private static final Logger LOG = System.getLogger(Databases.class.getName());
  private static final Set<String> NO_RIGHT = Set.of("42501", "25006", "90040", "90096", "90097");
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 250;

  private final DataSource database;
  private final Transactions transactions;

  Migration(DataSource database, Transactions transactions) {
    this.database = database;
    this.transactions = transactions;
  }

  Schema run(boolean migrate) {
    Schema before = look();
    Schema schema = before;
    @Nullable FlywayException failure = null;
    if (migrate && before.mayMigrate()) {
      failure = migrate(before.dialect());
      schema = look();
    }
    report(schema, failure);
    return schema;
  }

  private Schema look() {
    return transactions.read("the database of the rules can't be read", Schema::new);
  }

  /**
   * Nothing if all went well. Others may migrate at the same time, so what failed is tried again.
   */
  private @Nullable FlywayException migrate(Dialect dialect) {
    Flyway flyway = flyway(dialect);
    for (int attempt = 1; ; attempt++) {
      try {
        flyway.migrate();
        return null;
      } catch (FlywayException e) {
        if (attempt == ATTEMPTS || isFinal(e)) {
          return e;
        }
        rest();
      }
    }
  }

  /** Whether the database would refuse it the next time too: for want of a right. */
  private static boolean isFinal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException said
          && NO_RIGHT.contains(String.valueOf(said.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  private Flyway flyway(Dialect dialect) {
    FluentConfiguration configuration =
        Flyway.configure(Migration.class.getClassLoader())
            .dataSource(database)
            .table(HISTORY_TABLE)
            .locations(
                "classpath:io/weir/rules/db/common",
                "classpath:io/weir/rules/db/" + dialect.folder())
            // The schema may have tables of the application, or bare tables to adopt.
            .baselineOnMigrate(true)
            .baselineVersion("0");
    return configuration.load();
  }

  private static void rest() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void report(Schema schema, @Nullable FlywayException failure) {
    List<String> bare = schema.bareColumnsMissing();
    String missing = String.join(";\n", schema.missing());
    if (!bare.isEmpty()) {
      throw new RulesUnavailableException(
          "the database lacks " + String.join(", ", bare) + "; this makes it:\n" + missing + ";",
          failure);
    }
    if (!schema.missing().isEmpty()) {
      LOG.log(Level.WARNING, "Some of Weir's tables are missing:\n" + missing + ";", failure);
    }
  }
}
