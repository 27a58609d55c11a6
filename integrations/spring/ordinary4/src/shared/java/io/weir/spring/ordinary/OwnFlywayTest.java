package io.weir.spring.ordinary;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application whose tables its own Flyway makes, in the database that Weir's rules are in. */
class OwnFlywayTest {
  @ParameterizedTest
  @ValueSource(strings = {"datasource:", "jdbc"})
  void runsBeforeWeirMakesItsTables(String rules, @TempDir Path scripts) throws Exception {
    Files.writeString(scripts.resolve("V1__orders.sql"), "CREATE TABLE orders (id INT)");
    String url = PostgresServer.shared().newDatabase();
    String[] settings = {
      "--weir.rules=" + (rules.equals("jdbc") ? url : rules),
      "--spring.flyway.locations=filesystem:" + scripts
    };
    OrdinaryApplication.start(url, settings).close();
    Files.writeString(scripts.resolve("V2__more.sql"), "INSERT INTO orders VALUES (1)");
    OrdinaryApplication.start(url, settings).close();
    assertEquals(1, Jdbc.rows(url, "orders"));
    assertEquals(2, Jdbc.rows(url, "flyway_schema_history"));
    assertEquals(8, Jdbc.rows(url, "weir.weir_schema_history"));
  }
}
