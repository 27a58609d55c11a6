package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.compat.redis.fault.Moment;
import java.net.URI;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a session goes on without names of statements, and when it doesn't. */
class StatementNamesTest {
  private static final String QUERY = "SELECT ?::bigint + 1, 2";
  private static final String SECOND_QUERY = "SELECT 1;\nSELECT ?::bigint + 1, 3";

  private final PostgresServer server = PostgresServer.shared();
  private final FaultProxy proxy = FaultProxy.beforePostgres(server.port());
  private SessionContext context;
  private PostgresSession session;

  @BeforeEach
  void open() throws SQLException {
    PostgresSettings settings =
        new PostgresSettings(name -> Databases.PATIENT.getOrDefault(name, ""));
    String url = Databases.shared().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    context =
        new SessionContext(
            settings, new StoreClock(Ticker.system()), new SilenceMeter(Ticker.system()));
    session =
        new PostgresSession(
            new DriverConnections(
                PostgresAddress.parse(URI.create(url)), settings, Ticker.system()),
            context);
    assertEquals(2, increment(1));
    assertTrue(context.prepares(), "no pooler is between");
  }

  @AfterEach
  void close() {
    session.close();
    proxy.close();
  }

  private long increment(long number) throws SQLException {
    return session.execute(
        QUERY,
        (connection, statement) -> statement.setLong(1, number),
        (rows, sentAt) -> {
          rows.next();
          return rows.getLong(1);
        });
  }

  /** The server says 08P01 to it too. */
  @ParameterizedTest
  @EnumSource(Moment.class)
  void aSpoiltMessageSaysNothingAboutNames(Moment moment) throws SQLException {
    proxy.strike(Fault.CORRUPT, moment);
    assertThrows(SQLException.class, () -> increment(1));
    proxy.heal();
    assertEquals(3, increment(2));
    assertTrue(context.prepares());
  }

  /** As behind a pooler that can't be noticed, and that gives a connection to several clients. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DEALLOCATE \"%1$s\"; PREPARE \"%1$s\" AS SELECT 1", // 08P01
        "DEALLOCATE \"%1$s\"; PREPARE \"%1$s\" (bigint) AS SELECT $1, $1, $1" // 08P01
      })
  void aNameOfAnotherStatementEndsTheNaming(String accident) throws SQLException {
    assertEquals(2, increment(1), "and its columns are known");
    happen(accident, "%, 2");
    SQLException failure = assertThrows(SQLException.class, () -> increment(1));
    assertTrue(Failures.isOfStatementName(failure), Failures.text(failure));
    assertFalse(context.prepares());
    assertEquals(3, increment(2));
  }

  /** The driver prepares it anew: the server has done nothing. */
  @Test
  void aNameThatIsMissingIsGivenAgain() throws SQLException {
    happen("DEALLOCATE \"%1$s\"", "%, 2");
    assertEquals(2, increment(1));
    assertTrue(context.prepares());
  }

  /** The driver can't, if another statement of the same transaction has done something. */
  @Test
  void aNameThatIsMissingBehindAnotherStatementEndsTheNaming() throws SQLException {
    assertEquals(1, second());
    happen("DEALLOCATE \"%1$s\"", "%, 3");
    SQLException failure = assertThrows(SQLException.class, this::second);
    assertTrue(Failures.isOfStatementName(failure), Failures.text(failure));
    assertFalse(context.prepares());
    assertEquals(1, second());
  }

  private long second() throws SQLException {
    return session.execute(
        SECOND_QUERY,
        (connection, statement) -> statement.setLong(1, 1),
        (rows, sentAt) -> {
          rows.next();
          return rows.getLong(1);
        });
  }

  /** Lets an accident happen to the name of the statement. */
  private void happen(String accident, String statementLike) throws SQLException {
    String name =
        session.inConnection(
            connection -> {
              try (PreparedStatement own =
                  connection.prepareStatement(
                      "SELECT name FROM pg_prepared_statements WHERE statement LIKE ?")) {
                own.setString(1, statementLike);
                try (var rows = own.executeQuery()) {
                  rows.next();
                  return rows.getString(1);
                }
              }
            });
    session.inConnection(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(String.format(accident, name));
          }
        });
  }
}
