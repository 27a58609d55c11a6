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
import java.util.function.Function;
import javax.sql.DataSource;

/** Connects to databases, and makes and opens their tables. */
public final class DatabaseOpener {
  private DatabaseOpener() {}

  /**
   * Prepares connections to a database, and opens none yet.
   *
   * @param settings where it is
   * @return its connections, which the caller closes
   * @throws RulesUnavailableException if there can't be such a database: no driver, no such name in
   *     JNDI, no place for the password of a file
   */
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
   * @return its rows
   * @throws RulesUnavailableException if it can't be reached, or has no rules that could be read
   */
  public static RuleDatabase open(DataSource database, boolean migrate) {
    return open(database, migrate, DatabaseSettings.USUAL_PATIENCE);
  }

  /** Opens the tables of the usual schema. */
  public static RuleDatabase open(DataSource database, boolean migrate, Duration patience) {
    return open(database, migrate, patience, SchemaName.USUAL);
  }

  /**
   * Opens the tables of a schema.
   *
   * @param database an H2 or PostgreSQL, which stays open
   * @param migrate false changes nothing and warns of what is missing
   * @param name the schema
   * @return its rows
   * @throws RulesUnavailableException if it can't be reached, or has no rules that could be read
   */
  public static RuleDatabase open(DataSource database, boolean migrate, SchemaName name) {
    return open(database, migrate, DatabaseSettings.USUAL_PATIENCE, name);
  }

  private static RuleDatabase open(
      DataSource database, boolean migrate, Duration patience, SchemaName name) {
    TransactionRunner transactions = new TransactionRunner(database, patience, name);
    RulesSchema schema = new RulesSchemaMigrator(database, transactions, name).run(migrate);
    if (schema.dialect() != Dialect.H2) {
      transactions.runInCaller();
    }
    return new SqlRuleDatabase(transactions, schema, Ticker.system());
  }
}
