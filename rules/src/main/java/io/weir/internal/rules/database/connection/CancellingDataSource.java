package io.weir.internal.rules.database.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.weir.internal.rules.database.JdbcProxy;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose statements are cancelled unless they end in time. PostgreSQL's newer drivers do so
 * by a property of the connection, which older ones don't know.
 */
final class CancellingDataSource extends HikariDataSource {
  private final int seconds;

  CancellingDataSource(HikariConfig config, int seconds) {
    super(config);
    this.seconds = seconds;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    return JdbcProxy.of(
        Connection.class, (proxy, method, arguments) -> call(connection, method, arguments));
  }

  private @Nullable Object call(
      Connection connection, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    Object result = JdbcProxy.call(connection, method, arguments);
    if (result instanceof Statement statement) {
      statement.setQueryTimeout(seconds);
    }
    return result;
  }
}
