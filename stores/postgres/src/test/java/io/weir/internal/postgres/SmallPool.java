package io.weir.internal.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import javax.sql.DataSource;

/** A pool of few connections that resets nothing when they come back, and opens no others. */
final class SmallPool implements ConnectionSource, AutoCloseable {
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private int borrowed;
  private boolean failing;
  private DatabaseMetaData described;

  SmallPool(DataSource source, int size) {
    try {
      for (int i = 0; i < size; i++) {
        idle.add(source.getConnection());
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public synchronized Connection open() throws SQLException {
    Connection connection = idle.poll();
    if (connection == null) {
      throw new SQLException("all connections of the pool are in use", "08001");
    }
    borrowed++;
    return (Connection)
        Proxy.newProxyInstance(
            SmallPool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) -> {
              if (method.getName().equals("close")) {
                back(connection);
                return null;
              }
              if (method.getName().equals("prepareStatement") && isFailing()) {
                throw new IllegalStateException("as a broken proxy does");
              }
              if (method.getName().equals("getMetaData") && described() != null) {
                return described();
              }
              try {
                return method.invoke(connection, args);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }

  private synchronized void back(Connection connection) throws SQLException {
    borrowed--;
    if (!connection.isClosed()) {
      idle.add(connection);
    }
  }

  @Override
  public boolean isKept() {
    return false;
  }

  synchronized List<Connection> idle() {
    return List.copyOf(idle);
  }

  synchronized int borrowed() {
    return borrowed;
  }

  private synchronized boolean isFailing() {
    return failing;
  }

  private synchronized DatabaseMetaData described() {
    return described;
  }

  /** Makes its connections say that another driver opened them. */
  synchronized void describe(String driver, int major, int minor) {
    described =
        (DatabaseMetaData)
            Proxy.newProxyInstance(
                SmallPool.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "getDriverName" -> driver;
                      case "getDriverMajorVersion" -> major;
                      case "getDriverMinorVersion" -> minor;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
  }

  /** Makes its connections throw what isn't an SQLException. */
  synchronized void fail(boolean now) {
    failing = now;
  }

  @Override
  public synchronized void close() {
    try {
      for (Connection each : idle) {
        each.close();
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
