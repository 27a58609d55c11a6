package io.weir.spring.ordinary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with all of Weir's modules stays what it was, and has limits. */
@ExtendWith(OutputCaptureExtension.class)
class OrdinaryApplicationTest {
  /** Libraries that an application has only if it asks for them. */
  private static final List<String> NOT_OURS =
      List.of(
          "org.flywaydb.core.Flyway",
          "org.h2.Driver",
          "org.glassfish.jersey.server.ResourceConfig");

  @Test
  void bringsNoLibraryThatSpringBootWouldWakeUpBy() {
    assertEquals(List.of(), NOT_OURS.stream().filter(OrdinaryApplicationTest::isThere).toList());
  }

  private static boolean isThere(String type) {
    try {
      Class<?> found = Class.forName(type, false, OrdinaryApplicationTest.class.getClassLoader());
      return found.getName().equals(type);
    } catch (ClassNotFoundException missing) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "datasource:", "jdbc"})
  void startsOnADatabaseWithATable(String rules, CapturedOutput output) throws Exception {
    String url = OrdinaryApplication.databaseWithTable();
    String address = rules.equals("jdbc") ? url : rules;
    try (ConfigurableApplicationContext context =
        OrdinaryApplication.start(url, "--weir.rules=" + address)) {
      HttpResponse<String> found = OrdinaryApplication.get(context, "/latest");
      assertEquals("{\"id\":1}", found.body());
      assertEquals("application/json", found.headers().firstValue("Content-Type").orElse("none"));
      assertEquals(429, OrdinaryApplication.get(context, "/latest").statusCode());
      HttpResponse<String> health = OrdinaryApplication.get(context, "/actuator/health");
      assertEquals(200, health.statusCode(), health::body);
      assertEquals(1, Jdbc.rows(url, "orders"));
      if (!rules.isEmpty()) {
        assertEquals(0, Jdbc.rows(url, "weir.rate_limit_rules"));
      }
      assertTrue(output.getOut().contains("Requests are counted in this process"), output::getOut);
      assertFalse(output.getOut().contains("WARN"), output::getOut);
    }
  }

  /** As docs/spring.md says of the cache. */
  @Test
  void hasTheBeansThatItHasWithoutWeir() {
    try (ConfigurableApplicationContext context =
        OrdinaryApplication.start(
            OrdinaryApplication.databaseWithTable(), "--spring.cache.type=simple")) {
      assertEquals(ConcurrentMapCacheManager.class, context.getBean(CacheManager.class).getClass());
      assertEquals(HikariDataSource.class, context.getBean(DataSource.class).getClass());
      List<String> foreign =
          Arrays.stream(context.getBeanDefinitionNames())
              .filter(each -> !each.startsWith("org.springframework.boot.")) // not in force
              .map(each -> each.toLowerCase(Locale.ROOT))
              .filter(each -> each.matches(".*(cassandra|cql|jersey|flyway).*"))
              .toList();
      assertEquals(List.of(), foreign);
    }
  }
}
