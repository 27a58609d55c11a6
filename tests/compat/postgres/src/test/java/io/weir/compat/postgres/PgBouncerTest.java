package io.weir.compat.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.postgres.PgBouncer.Version;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PgBouncerTest {
  private static final Map<String, String> ONE_CONNECTION = Map.of("default_pool_size", "1");

  @ParameterizedTest
  @EnumSource
  void sharesOneConnectionAmongTransactions(Version version) throws SQLException {
    version.assumePresent();
    try (PgBouncer pooler = PgBouncer.start(version, PostgresServer.shared(), ONE_CONNECTION);
        Connection one = connect(pooler, "prepareThreshold=0");
        Connection two = connect(pooler, "prepareThreshold=0")) {
      assertEquals(ask(one, "SELECT pg_backend_pid()"), ask(two, "SELECT pg_backend_pid()"));
    }
  }

  @Test
  void forgetsPreparedStatementsBefore121() throws SQLException {
    Version.OLD.assumePresent();
    try (PgBouncer pooler = PgBouncer.start(Version.OLD, PostgresServer.shared(), ONE_CONNECTION);
        Connection one = connect(pooler, "prepareThreshold=1");
        Connection two = connect(pooler, "prepareThreshold=1")) {
      assertEquals("1", ask(one, "SELECT 1"));
      SQLException refused = assertThrows(SQLException.class, () -> ask(two, "SELECT 2"));
      assertEquals("42P05", refused.getSQLState());
    }
  }

  @Test
  void keepsPreparedStatementsSince121() throws SQLException {
    Version.NEWEST.assumePresent();
    try (PgBouncer pooler =
            PgBouncer.start(Version.NEWEST, PostgresServer.shared(), ONE_CONNECTION);
        Connection one = connect(pooler, "prepareThreshold=1");
        Connection two = connect(pooler, "prepareThreshold=1")) {
      assertEquals("1", ask(one, "SELECT 1"));
      assertEquals("2", ask(two, "SELECT 2"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void asksForThePassword(Version version) throws SQLException {
    version.assumePresent();
    String role = "through_" + version.name().toLowerCase(Locale.ROOT);
    PostgresServer.shared().newRole(role, "secret");
    try (PgBouncer pooler =
        PgBouncer.start(version, PostgresServer.shared(), Map.of(), role, "secret")) {
      String url = pooler.url("postgres") + "?user=" + role + "&password=";
      assertEquals(role, Sql.ask(url + "secret", "SELECT current_user"));
      assertThrows(SQLException.class, () -> DriverManager.getConnection(url + "wrong"));
    }
  }

  private static Connection connect(PgBouncer pooler, String parameter) throws SQLException {
    return DriverManager.getConnection(pooler.url("postgres") + "?user=postgres&" + parameter);
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        var result = statement.executeQuery()) {
      result.next();
      return result.getString(1);
    }
  }
}
