package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import java.net.URLClassLoader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application without the drivers of databases, which it names itself. */
class MissingJarsTest {
  @ParameterizedTest
  @CsvSource({
    "postgresql, jdbc:postgresql://127.0.0.1:1/weir, PostgreSQL's JDBC driver, org.postgresql:postgresql",
    "h2, jdbc:h2:file:./never, H2, com.h2database:h2",
    "h2, jdbc:h2:mem:any, H2, com.h2database:h2"
  })
  void aMissingDriverIsNamed(String jar, String url, String called, String artifact)
      throws Exception {
    try (URLClassLoader jarless = FreshClasses.without(jar)) {
      Throwable told =
          assertThrows(
              Exception.class, () -> FreshClasses.start(jarless, Map.of("weir.rules", url)));
      assertInstanceOf(IllegalArgumentException.class, told);
      assertTrue(
          told.getMessage().endsWith(called + " isn't on the class path: add " + artifact),
          told::getMessage);
    }
  }

  @Test
  void rulesInPostgresNeedNeitherH2NorFlyway() throws Exception {
    String url = PostgresServer.shared().newDatabase();
    Map<String, String> settings = Map.of("weir.rules", url, "weir.rules.required", "true");
    try (URLClassLoader jarless = FreshClasses.without("h2|flyway-.*")) {
      FreshClasses.start(jarless, settings).close();
    }
    assertEquals(
        "8",
        TestSql.text(PostgresServer.source(url), "SELECT count(*) FROM weir.weir_schema_history"));
  }
}
