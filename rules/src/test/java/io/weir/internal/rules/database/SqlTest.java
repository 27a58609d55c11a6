package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqlTest {
  private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");
  private static final String INSERT = "INSERT INTO visits (name, number, at) VALUES (?, ?, ?)";

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:");
    Sql.of(
            "CREATE TABLE visits (id BIGINT GENERATED ALWAYS AS IDENTITY, name VARCHAR,"
                + " number BIGINT, at TIMESTAMP WITH TIME ZONE)")
        .update(connection);
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void partsKeepTheirValues() throws SQLException {
    Sql.batch(
        connection,
        List.of(
            Sql.of(INSERT, "ann", 1, NOON),
            Sql.of(INSERT, "bob", 2, NOON),
            Sql.of(INSERT, "cem", 3, NOON.plusSeconds(1))));

    Sql query =
        Sql.of("SELECT name FROM visits WHERE name IN ")
            .then(Sql.list(List.of("ann", "bob", "cem")))
            .then(Optional.of(Sql.of(" AND at = ?", NOON)))
            .then(Optional.empty())
            .then(" AND number > ? ORDER BY name LIMIT ?", 1, 5);

    assertEquals(List.of("bob"), query.all(connection, row -> row.getString(1)));
  }

  @Test
  void whatIsntThereIsNull() throws SQLException {
    Sql.of(INSERT, "ann", Optional.empty(), null).update(connection);
    Sql.of(INSERT, "bob", Optional.of(7L), Optional.of(NOON)).update(connection);

    Sql times = Sql.of("SELECT at FROM visits WHERE number IS NULL");
    assertEquals(Optional.empty(), times.one(connection, row -> Sql.timeIfAny(row, 1)));
    Sql all = Sql.of("SELECT at FROM visits WHERE number = 7");
    assertEquals(Optional.of(NOON), all.one(connection, row -> Sql.timeIfAny(row, 1)));
    assertEquals(NOON, all.one(connection, row -> Sql.time(row, 1)));
  }

  @Test
  void aKeyComesBack() throws SQLException {
    assertEquals("1", Sql.of(INSERT, "ann", 1, NOON).insert(connection, "id"));
    assertEquals("2", Sql.of(INSERT, "bob", 2, NOON).insert(connection, "id"));
  }

  @Test
  void noRowIsEmpty() throws SQLException {
    assertEquals(0, Sql.batch(connection, List.of()));
    Sql names = Sql.of("SELECT name FROM visits");

    assertFalse(names.isAny(connection));
    assertEquals(Optional.empty(), names.first(connection, row -> row.getString(1)));
    Sql.of(INSERT, null, 1, NOON).update(connection);
    assertTrue(names.isAny(connection));
    assertEquals(Optional.empty(), names.first(connection, row -> row.getString(1)));
  }
}
