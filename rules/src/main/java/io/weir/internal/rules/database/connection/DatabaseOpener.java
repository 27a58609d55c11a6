package io.weir.internal.rules.database.connection;

import io.weir.Ticker;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.schema.RulesSchema;
import io.weir.internal.rules.database.schema.RulesSchemaMigrator;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Connects to databases, and makes and opens their tables. */
public final class DatabaseOpener {
  private DatabaseOpener() {}

  /** As {@link #connect(DatabaseSettings, Function)}, without data sources of the application. */
  public static OpenDatabase connect(DatabaseSettings settings) {
    return connect(settings, name -> Optional.empty());
  }

  /**
   * Prepares connections to a database, and opens none yet.
   *
   * @param settings where it is
   * @param dataSources finds a data source of the application by its name, before JNDI is asked
   * @return its connections, which the caller closes
   * @throws RulesUnavailableException if there can't be such a database: no driver, no such name,
   *     no place for the password of a file
   */
  public static OpenDatabase connect(
      DatabaseSettings settings, Function<String, Optional<DataSource>> dataSources) {
    return new DatabaseConnector(settings, dataSources).open();
  }

  /**
   * Opens the tables of the usual schema: makes and migrates them, or only checks them.
   *
   * @param database an H2 or PostgreSQL, which stays open
   * @param migrate false changes nothing and warns of what is missing
   * @throws RulesUnavailableException if it can't be reached, or has no rules that could be read
   */
  public static RuleDatabase open(DataSource database, boolean migrate) {
    return open(database, migrate, DatabaseSettings.USUAL_PATIENCE);
  }

  public static RuleDatabase open(DataSource database, boolean migrate, Duration patience) {
    return open(database, migrate, patience, SchemaName.USUAL, Set.of());
  }

  /** Splits the names of roles, which commas separate. */
  public static Set<String> owners(String names) {
    return Stream.of(names.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  /** Opens the tables of a schema that no other roles own than always may. */
  public static RuleDatabase open(DataSource database, boolean migrate, SchemaName name) {
    return open(database, migrate, name, Set.of());
  }

  /**
   * Opens the tables of a schema.
   *
   * @param database an H2 or PostgreSQL, which stays open
   * @param migrate false changes nothing and warns of what is missing
   * @param owners roles that may own parts of it, beside those that always may
   * @throws RulesUnavailableException if it can't be reached, or has no rules that could be read
   * @throws IllegalStateException if a stranger owns parts of the schema
   */
  public static RuleDatabase open(
      DataSource database, boolean migrate, SchemaName name, Set<String> owners) {
    return open(database, migrate, DatabaseSettings.USUAL_PATIENCE, name, owners);
  }

  private static RuleDatabase open(
      DataSource database,
      boolean migrate,
      Duration patience,
      SchemaName name,
      Set<String> owners) {
    TransactionRunner transactions = new TransactionRunner(database, patience, name);
    RulesSchema schema = new RulesSchemaMigrator(database, transactions, name, owners).run(migrate);
    if (schema.dialect() != Dialect.H2) {
      transactions.runInCaller();
    }
    return new SqlRuleDatabase(transactions, schema, Ticker.system());
  }
}
