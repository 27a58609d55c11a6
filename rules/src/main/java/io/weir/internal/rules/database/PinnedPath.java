package io.weir.internal.rules.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Runs the SQL of a PostgreSQL connection with nothing but PostgreSQL's own schema on the search
 * path. An operator or function that a stranger made in another one, to fit better than
 * PostgreSQL's own, is never found.
 *
 * <p>Set only until a transaction ends: the connection may be one of the application, or behind it
 * a pooler may lend it to others.
 */
final class PinnedPath implements InvocationHandler {
  private static final String PIN =
      "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)";

  private final Object wrapped;

  private PinnedPath(Object wrapped) {
    this.wrapped = wrapped;
  }

  /** Pins the path for a transaction. The driver sends its BEGIN along. */
  static void begin(Connection connection) throws SQLException {
    if (Dialect.of(connection) == Dialect.POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(PIN);
      }
    }
  }

  /**
   * Pins the path for each query of a connection that commits by itself. Both go to the server in
   * one call, and are one transaction there.
   *
   * @return the connection, which runs queries only
   */
  static Connection ofEach(Connection connection) throws SQLException {
    return Dialect.of(connection) == Dialect.POSTGRESQL
        ? wrap(Connection.class, connection)
        : connection;
  }

  private static <T> T wrap(Class<T> type, Object wrapped) {
    return JdbcProxy.of(type, new PinnedPath(wrapped));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
    String name = method.getName();
    if (name.equals("prepareStatement") && given.length == 1 && wrapped instanceof Connection own) {
      return wrap(PreparedStatement.class, own.prepareStatement(PIN + ";\n" + given[0]));
    }
    if (name.equals("executeQuery") && wrapped instanceof PreparedStatement statement) {
      return query(statement);
    }
    if (name.startsWith("prepare")
        || name.startsWith("execute")
        || name.equals("createStatement")
        || name.equals("addBatch")) {
      throw new UnsupportedOperationException("only queries are read outside of a transaction");
    }
    return JdbcProxy.call(wrapped, method, given);
  }

  /** Runs both, and returns the rows of the second. */
  private static ResultSet query(PreparedStatement statement) throws SQLException {
    statement.execute();
    statement.getMoreResults();
    return statement.getResultSet();
  }
}
