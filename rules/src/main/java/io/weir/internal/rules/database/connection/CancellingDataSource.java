package io.weir.internal.rules.database.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
    return (Connection)
        Proxy.newProxyInstance(
            CancellingDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> invoke(connection, method, arguments));
  }

  private @Nullable Object invoke(
      Connection connection, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      Object result = method.invoke(connection, arguments);
      if (result instanceof Statement statement) {
        statement.setQueryTimeout(seconds);
      }
      return result;
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }
}
