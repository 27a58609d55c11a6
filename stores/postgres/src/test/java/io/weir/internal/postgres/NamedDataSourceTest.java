package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Hashtable;
import java.util.concurrent.CompletionException;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Borrows connections of what a server has in JNDI. */
class NamedDataSourceTest {
  private static volatile DataSource bound;

  /** The only thread that knows names, as those of an application are known on its threads. */
  private static volatile Thread knowing;

  private final DataSource source = PostgresServer.source(PostgresServer.shared().newDatabase());

  @BeforeEach
  void bind() {
    System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
    bound = source;
    knowing = null;
  }

  @AfterEach
  void forget() {
    System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
  }

  @Test
  void isFoundByTheThreadThatOpensTheStore() {
    knowing = Thread.currentThread();
    try (PostgresStore store = Databases.open("datasource:jdbc/limits")) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
    }
  }

  @Test
  void isLookedUpAgainAfterAFailure() {
    bound =
        (DataSource)
            Proxy.newProxyInstance(
                NamedDataSourceTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> {
                  throw new SQLException("the pool is closed", "08003");
                });
    try (PostgresStore store = Databases.open("datasource:jdbc/limits")) {
      bound = source;
      CompletionException closed =
          assertThrows(CompletionException.class, () -> PostgresSchemaTest.take(store, 1));
      assertTrue(closed.getCause().getMessage().startsWith("the pool is closed"));
      assertEquals(1, PostgresSchemaTest.take(store, 1));
    }
  }

  /** Knows one name. */
  public static final class Names implements InitialContextFactory {
    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) {
      return (Context)
          Proxy.newProxyInstance(
              Names.class.getClassLoader(),
              new Class<?>[] {Context.class},
              (proxy, method, args) -> {
                Thread only = knowing;
                if (method.getName().equals("lookup")
                    && args[0].equals("java:comp/env/jdbc/limits")
                    && (only == null || only == Thread.currentThread())) {
                  return bound;
                }
                throw new NameNotFoundException();
              });
    }
  }
}
