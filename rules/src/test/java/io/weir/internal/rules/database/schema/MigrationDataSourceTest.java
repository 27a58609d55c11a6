package io.weir.internal.rules.database.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Statements of migrations in a pool whose other statements are cancelled soon. */
class MigrationDataSourceTest {
  @Test
  void statementsOfMigrationsAreNotCancelled() throws SQLException {
    DatabaseSettings settings = DatabaseSettings.of(PostgresServer.shared().url("postgres"));
    try (OpenDatabase database = DatabaseOpener.connect(settings)) {
      try (Connection usual = database.source().getConnection();
          Statement statement = usual.createStatement()) {
        assertEquals(4, statement.getQueryTimeout());
      }
      MigrationDataSource migrations =
          new MigrationDataSource(database.source(), Dialect.POSTGRESQL, Duration.ofSeconds(2));
      try (Connection migration = migrations.getConnection();
          Statement statement = migration.createStatement();
          PreparedStatement prepared = migration.prepareStatement("SELECT 1")) {
        assertEquals(0, statement.getQueryTimeout());
        assertEquals(0, prepared.getQueryTimeout());
      }
    }
  }
}
