package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.PlainSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Makes connections that can fail, and commits whose answers can be lost. */
final class SwitchableSource implements PlainSource {
  private final DataSource source;
  final AtomicInteger lostCommits = new AtomicInteger();
  volatile boolean isAway;

  SwitchableSource(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (isAway) {
      throw new SQLException("away, on purpose", "08001");
    }
    Connection connection = source.getConnection();
    boolean[] isWriting = {false};
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              try {
                if (method.getName().equals("prepareStatement")) {
                  isWriting[0] |= !String.valueOf(arguments[0]).startsWith("SELECT");
                }
                Object result = method.invoke(connection, arguments);
                if (method.getName().equals("commit")
                    && isWriting[0]
                    && lostCommits.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                  throw new SQLException("the answer is lost, on purpose", "08006");
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
