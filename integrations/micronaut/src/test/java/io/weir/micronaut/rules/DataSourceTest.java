package io.weir.micronaut.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.io.ResourceResolver;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Weir;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules in a data source of Micronaut: which one, and when it is closed. */
class DataSourceTest {
  private static final AtomicReference<Weir> WEIR = new AtomicReference<>();
  private static final AtomicReference<Reason> AT_CLOSE = new AtomicReference<>();

  /** A database in memory that asks, when it is closed, whether Weir still decides. */
  static final class Noted extends HikariDataSource {
    @Override
    public void close() {
      Policy policy = Policy.builder("p").limit(1).window(Duration.ofMinutes(1)).build();
      Decision decision = WEIR.get().limiter().tryAcquire(policy, Key.of("k"));
      AT_CLOSE.set(decision.reason());
      super.close();
    }
  }

  @Factory
  @Requires(property = "test.noted")
  static class OwnDatabase {
    /** Micronaut would close it before beans that depend on less, as Weir does. */
    @Singleton
    @Named("own")
    @Bean(preDestroy = "close")
    Noted own(Busy dependency) {
      Noted database = new Noted();
      database.setJdbcUrl(inMemory());
      return database;
    }
  }

  @Singleton
  @Requires(property = "test.noted")
  @SuppressWarnings("UnusedVariable") // only the number of dependencies matters
  static final class Busy {
    Busy(
        Environment one,
        BeanContext two,
        ApplicationContext three,
        ConversionService four,
        ResourceResolver five) {}
  }

  private static String inMemory() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  private static ApplicationContext start(String rules, String... databases) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("weir.rules", rules);
    for (String each : databases) {
      properties.put("datasources." + each + ".url", inMemory());
      properties.put("datasources." + each + ".driver-class-name", "org.h2.Driver");
    }
    return ApplicationContext.run(properties);
  }

  private static boolean hasRules(ApplicationContext application, String database)
      throws SQLException {
    DataSource source = application.getBean(DataSource.class, Qualifiers.byName(database));
    try (Connection connection = source.getConnection();
        ResultSet found =
            connection.getMetaData().getTables(null, null, "RATE_LIMIT_RULES", null)) {
      return found.next();
    }
  }

  @ParameterizedTest
  @CsvSource({"datasource:orders, orders, default", "datasource:, default, orders"})
  void areInTheDataSourceThatTheSettingNames(String rules, String named, String other)
      throws SQLException {
    try (ApplicationContext application = start(rules, "default", "orders")) {
      Rules opened = Rules.of(application.getBean(Weir.class)).orElseThrow();
      opened.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
      assertTrue(hasRules(application, named));
      assertFalse(hasRules(application, other));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "datasource:order, weir.rules=datasource:order names no DataSource bean",
    "datasource:, weir.rules=datasource: needs one DataSource bean"
  })
  void namesTheDataSourcesThatThereAre(String rules, String mistake) {
    RuntimeException failed =
        assertThrows(RuntimeException.class, () -> start(rules, "orders", "users").close());
    String message = String.valueOf(failed.getMessage());
    assertTrue(message.contains(mistake), message);
    assertTrue(message.contains("; the application has orders, users"), message);
  }

  @Test
  void theDataSourceIsClosedAfterWeir() {
    AT_CLOSE.set(null);
    ApplicationContext application =
        ApplicationContext.run(Map.of("test.noted", "true", "weir.rules", "datasource:own"));
    WEIR.set(application.getBean(Weir.class));
    application.close();
    assertEquals(Reason.STORE_UNAVAILABLE, AT_CLOSE.get());
  }
}
