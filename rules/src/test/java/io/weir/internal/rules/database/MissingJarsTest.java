package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * An application without the jars that only PostgreSQL needs: what it is told, and what it costs.
 */
class MissingJarsTest {
  private static final String NO_FLYWAY =
      "Weir's tables can't be made. Flyway's part for PostgreSQL isn't on the class path: add"
          + " org.flywaydb:flyway-database-postgresql in the version of flyway-core, or set"
          + " weir.rules.migrate=false";

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void withoutFlywaysPartForPostgresTheJarIsNamedAtOnceAndNoConnectionIsLost() throws Exception {
    DataSource source = counted(PostgresServer.source(PostgresServer.shared().newDatabase()));
    try (URLClassLoader jarless = FreshClasses.without("flyway-database-postgresql")) {
      Throwable told = assertThrows(Exception.class, () -> open(jarless, source));
      assertEquals(NO_FLYWAY, told.getMessage());
      assertEquals(1, opened.get(), "it isn't tried again");
      assertEquals(opened.get(), closed.get());

      DatabaseOpener.open(source, true);
      open(jarless, source); // all tables are there
      assertEquals(opened.get(), closed.get());
    }
  }

  @Test
  void theStartOfAnApplicationTellsIt() throws Exception {
    String url = PostgresServer.shared().newDatabase();
    try (URLClassLoader jarless = FreshClasses.without("flyway-database-postgresql")) {
      Throwable told = assertThrows(Exception.class, () -> start(jarless, url));
      assertEquals(NO_FLYWAY, told.getMessage());
    }
  }

  @Test
  void withoutTheDriverTheJarIsNamed() throws Exception {
    try (URLClassLoader jarless = FreshClasses.without("postgresql")) {
      Throwable told =
          assertThrows(Exception.class, () -> start(jarless, "jdbc:postgresql://127.0.0.1:1/weir"));
      assertInstanceOf(IllegalArgumentException.class, told);
      assertTrue(
          told.getMessage()
              .endsWith(
                  "PostgreSQL's JDBC driver isn't on the class path: add"
                      + " org.postgresql:postgresql"),
          told::getMessage);
    }
  }

  private static void open(ClassLoader jarless, DataSource source) throws Exception {
    var unused =
        FreshClasses.call(
            () ->
                jarless
                    .loadClass(DatabaseOpener.class.getName())
                    .getMethod("open", DataSource.class, boolean.class)
                    .invoke(null, source, true));
  }

  private static void start(ClassLoader jarless, String url) throws Exception {
    FreshClasses.start(jarless, Map.of("weir.rules", url)).close();
  }

  private DataSource counted(DataSource source) {
    return (DataSource)
        proxy(
            DataSource.class,
            source,
            (name, answer) -> {
              if (name.equals("getConnection")) {
                opened.incrementAndGet();
                return proxy(Connection.class, answer, this::countClosed);
              }
              return answer;
            });
  }

  private Object countClosed(String name, Object answer) {
    if (name.equals("close")) {
      closed.incrementAndGet();
    }
    return answer;
  }

  private interface Watcher {
    Object answered(String method, Object answer);
  }

  private static Object proxy(Class<?> type, Object real, Watcher watcher) {
    return Proxy.newProxyInstance(
        MissingJarsTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          try {
            return watcher.answered(method.getName(), method.invoke(real, arguments));
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }
}
