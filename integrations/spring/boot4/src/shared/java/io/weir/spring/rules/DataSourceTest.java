package io.weir.spring.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Weir;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.spring.operations.BootedApplication;
import io.weir.spring.operations.Plain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Rules in a {@code DataSource} bean: which one, when it is made and closed, beside Flyway. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class DataSourceTest {
  private static final AtomicReference<Weir> WEIR = new AtomicReference<>();
  private static final List<String> CLOSED = new ArrayList<>();

  /** A database in memory that notes whether Weir was closed before it. */
  private static final class Noted extends DelegatingDataSource implements AutoCloseable {
    private final String name;

    Noted(String name) {
      super(inMemory());
      this.name = name;
    }

    private static DataSource inMemory() {
      JdbcDataSource database = new JdbcDataSource();
      database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
      return database;
    }

    @Override
    public void close() {
      Policy policy = Policy.builder("p").limit(1).window(Duration.ofMinutes(1)).build();
      Weir weir = WEIR.get();
      Decision decision = weir == null ? null : weir.limiter().tryAcquire(policy, Key.of("k"));
      boolean after = decision != null && decision.reason() == Reason.STORE_UNAVAILABLE;
      CLOSED.add(name + (after ? " after Weir" : " before Weir"));
    }
  }

  /** Two databases, of which one is made late. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Two {
    @Bean
    @Primary
    Noted mainDatabase() {
      return new Noted("main");
    }

    @Bean
    @Lazy
    Noted orders() {
      return new Noted("orders");
    }
  }

  private static BootedApplication start(Class<?> configuration, String... properties) {
    return BootedApplication.start(WebApplicationType.NONE, configuration, properties);
  }

  private static boolean hasTable(DataSource database, String name) throws SQLException {
    try (Connection connection = database.getConnection();
        ResultSet found =
            connection.getMetaData().getTables(null, null, name.toUpperCase(Locale.ROOT), null)) {
      boolean upper = found.next();
      try (ResultSet lower = connection.getMetaData().getTables(null, null, name, null)) {
        return upper || lower.next();
      }
    }
  }

  @Test
  void leavesAPlaceholderWithoutAValueToTheReport() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource("only", Map.of("weir.rules", "jdbc:h2:pass-word/${of.nobody}")));
    assertEquals(
        Set.of(), new WeirDependsOnDatabase(environment).detect(new DefaultListableBeanFactory()));
  }

  @Test
  void areInTheBeanOfThatName() throws SQLException {
    CLOSED.clear();
    try (BootedApplication application = start(Two.class, "weir.rules=datasource:orders")) {
      WEIR.set(application.weir());
      Rules rules = Rules.of(application.weir()).orElseThrow();
      rules.rules().save(Rule.builder("free", "/api/*").limit(10).build(), "alice");
      DataSource orders = application.context().getBean("orders", DataSource.class);
      assertTrue(hasTable(orders, "rate_limit_rules"));
      assertFalse(
          hasTable(
              application.context().getBean("mainDatabase", DataSource.class), "rate_limit_rules"));
    }
    assertTrue(CLOSED.contains("orders after Weir"), CLOSED.toString());
  }

  @Test
  void areInThePrimaryBeanWithoutAName() throws SQLException {
    CLOSED.clear();
    try (BootedApplication application = start(Two.class, "weir.rules=datasource:")) {
      WEIR.set(application.weir());
      assertTrue(
          hasTable(
              application.context().getBean("mainDatabase", DataSource.class), "rate_limit_rules"));
    }
    assertTrue(CLOSED.contains("main after Weir"), CLOSED.toString());
  }

  @Test
  void namesTheBeansThatThereAre() {
    BeanCreationException failed =
        assertThrows(
            BeanCreationException.class,
            () -> start(Two.class, "weir.rules=datasource:order").close());
    String message = String.valueOf(failed.getMessage());
    assertTrue(message.contains("weir.rules=datasource:order names no DataSource bean"), message);
    assertTrue(message.contains("mainDatabase, orders"), message);
  }

  @Test
  void comeAfterTheTablesOfTheApplication(@TempDir Path directory)
      throws IOException, SQLException {
    try (BootedApplication application =
        start(Plain.class, flyway(directory, "weir.rules=datasource:"))) {
      assertHasTables(application);
      assertEquals(0, Rules.of(application.weir()).orElseThrow().rules().all().size());
    }
  }

  /** A bean of the application's own, which is made before those of Spring Boot. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class NeedsWeirFirst {
    @Bean
    String table(Weir weir) {
      return weir.table();
    }
  }

  private static String[] flyway(Path directory, String... more) throws IOException {
    Files.writeString(directory.resolve("V1__orders.sql"), "CREATE TABLE orders (id INT)");
    return Stream.concat(
            Stream.of("spring.flyway.locations=filesystem:" + directory), Stream.of(more))
        .toArray(String[]::new);
  }

  private static void assertHasTables(BootedApplication application) throws SQLException {
    DataSource database = application.context().getBean(DataSource.class);
    assertTrue(hasTable(database, "orders"));
    assertTrue(hasTable(database, "rate_limit_rules"));
  }

  @Test
  void comeAfterThemAlsoIfTheWeirIsNeededFirst(@TempDir Path directory)
      throws IOException, SQLException {
    try (BootedApplication application =
        start(NeedsWeirFirst.class, flyway(directory, "weir.rules=datasource:"))) {
      assertHasTables(application);
    }
  }

  @Test
  void comeAfterThemAlsoIfAFileOfWeirNamesTheBean(@TempDir Path directory)
      throws IOException, SQLException {
    try (BootedApplication application =
        BootedApplication.withFile(
            directory, "weir.rules=datasource:", NeedsWeirFirst.class, flyway(directory))) {
      assertHasTables(application);
    }
  }
}
