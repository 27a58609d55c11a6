package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the right to make tables in an H2 is known before anything is made. */
class MayCreateTest {
  private static final String URL = "jdbc:h2:mem:maycreate";

  private Connection admin;

  @BeforeEach
  void makeUsers() throws SQLException {
    admin = DriverManager.getConnection(URL, "sa", "");
    for (String sql :
        List.of(
            "CREATE TABLE rate_limit_rules (id INT)",
            "CREATE USER reader PASSWORD 'p'",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limit_rules TO reader",
            "CREATE USER maker PASSWORD 'p'",
            "GRANT ALTER ANY SCHEMA TO maker",
            "CREATE ROLE owners",
            "CREATE USER owner PASSWORD 'p'",
            "GRANT owners TO owner",
            "CREATE SCHEMA owned AUTHORIZATION owners")) {
      try (Statement statement = admin.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  @AfterEach
  void drop() throws SQLException {
    admin.close();
  }

  @Test
  void onlyWhoOwnsTheSchemaMay() throws SQLException {
    assertEquals(true, Dialect.H2.mayCreateTables(admin, "PUBLIC"));
    assertEquals(false, mayCreate(URL, "reader"));
    assertEquals(true, mayCreate(URL, "maker"));
    assertEquals(true, mayCreate(URL + ";SCHEMA=owned", "owner"));
    assertEquals(false, mayCreate(URL, "owner"));
  }

  private static boolean mayCreate(String url, String user) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, "p")) {
      return Dialect.H2.mayCreateTables(connection, "PUBLIC");
    }
  }
}
