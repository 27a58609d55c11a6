package io.weir.compat.tomcat10;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.postgres.PostgresProvider;
import io.weir.seeds.Seeds;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Set;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.spi.ObjectFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;

/** Redeploys applications that count in PostgreSQL, with a driver of theirs and the container's. */
class PostgresRedeployTest {
  private static final int TIMES = Seeds.deep() ? 10 : 1;

  /** Has the container make the source. */
  private static final String DATA_SOURCE =
      """
      <data-source>
        <name>java:comp/env/jdbc/limits</name>
        <class-name>org.postgresql.ds.PGSimpleDataSource</class-name>
        <property><name>factory</name><value>%s</value></property>
      </data-source>
      """;

  private static volatile DataSource source;

  @Test
  void aDriverOfTheApplicationLeavesWithIt(@TempDir Path directory) throws Exception {
    try (Redeployment tomcat =
        new Redeployment(directory, PostgresProvider.class, Driver.class, Caffeine.class)) {
      assertLeavesNothing(tomcat, database -> tomcat.configure(settings(database)));
    }
  }

  @Test
  void aDataSourceOfTheContainerIsBorrowedFrom(@TempDir Path directory) throws Exception {
    try (Redeployment tomcat = new Redeployment(directory, PostgresProvider.class)) {
      tomcat.addToWebXml(DATA_SOURCE.formatted(Sources.class.getName()));
      tomcat.configure(settings("datasource:jdbc/limits"));
      assertLeavesNothing(tomcat, database -> source = PostgresServer.source(database));
    }
  }

  private static String settings(String store) {
    return "weir.store=" + store + "\nweir.store.timeout=2s\nweir.secret=of all the nodes, long\n";
  }

  private static void assertLeavesNothing(Redeployment tomcat, Preparation preparation)
      throws Exception {
    preparation.prepare(PostgresServer.shared().newDatabase());
    tomcat.deployUseAndRemove();
    Set<String> before = Redeployment.threads();
    for (int i = 0; i < TIMES; i++) {
      preparation.prepare(PostgresServer.shared().newDatabase());
      tomcat.deployUseAndRemove();
    }
    tomcat.assertNothingIsLeft(before);
  }

  /** Prepares an application for a database that is empty. */
  private interface Preparation {
    void prepare(String database) throws Exception;
  }

  /** Makes sources for the container. */
  public static final class Sources implements ObjectFactory {
    @Override
    public Object getObjectInstance(
        Object reference, Name name, Context context, Hashtable<?, ?> environment) {
      return source;
    }
  }
}
