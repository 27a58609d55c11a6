package io.weir.internal.rules.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;

/** Makes databases that have Weir's own tables already, which takes less time than to migrate. */
public final class MigratedPostgres {
  private static String template = "";

  private MigratedPostgres() {}

  /** Returns the address of a database of its own. */
  public static synchronized String newDatabase() {
    if (template.isEmpty()) {
      String made = PostgresServer.shared().newDatabase();
      DatabaseOpener.open(PostgresServer.source(made), true);
      template = made.substring(made.lastIndexOf('/') + 1).replaceAll("[?].*", "");
    }
    return PostgresServer.shared().newDatabase(template);
  }

  /**
   * Pools connections, as nodes do: to open one for each transaction takes most of a test's time.
   *
   * @param url the address of a database
   * @return a pool that the caller closes
   */
  public static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }
}
