package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.agroal.DataSource;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.vertx.core.json.JsonObject;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.rules.Rules;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with health, metrics and databases, as its operators see it. */
class OperationsTest {
  private static final List<String> MODULES =
      List.of(
          "runtime",
          "rules",
          "integrations/cdi",
          "integrations/grpc",
          "integrations/quarkus/runtime");

  /** Leaves a row for Weir's schema, if that is there before the tables of the application. */
  private static final String MIGRATION =
      "CREATE TABLE schemas AS SELECT schema_name FROM information_schema.schemata"
          + " WHERE schema_name = 'WEIR'";

  private static final Pattern CLASS_NAME = Pattern.compile("\"((?:[a-z]\\w*\\.)+[A-Z][\\w$]*)\"");

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                          Shelf.class,
                          Measured.class,
                          Client.class,
                          Waiting.class,
                          NativeHints.class)
                      .addAsResource(new StringAsset(MIGRATION), "db/orders/V1__schemas.sql"))
          .addBuildChainCustomizer(new NativeHints())
          .overrideConfigKey("quarkus.application.name", "shop")
          .overrideConfigKey("quarkus.flyway.orders.migrate-at-start", "true")
          .overrideConfigKey("quarkus.flyway.orders.locations", "db/orders")
          .overrideConfigKey("quarkus.datasource.db-kind", "h2")
          .overrideConfigKey("quarkus.datasource.jdbc.url", "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
          .overrideConfigKey("quarkus.datasource.orders.db-kind", "h2")
          .overrideConfigKey(
              "quarkus.datasource.orders.jdbc.url", "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1")
          .overrideRuntimeConfigKey("weir.rules", "datasource:orders");

  /** A resource that is limited. */
  @Path("/shelf")
  public static class Shelf {
    @GET
    @RateLimit(limit = 2, window = 60, name = "shelf")
    public String get() {
      return "shelf";
    }
  }

  /** The metrics of the application. */
  @Singleton
  public static class Measured {
    @Produces
    @Singleton
    SimpleMeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    @Produces
    @Singleton
    MeterFilter region() {
      return MeterFilter.commonTags(Tags.of("region", "north"));
    }
  }

  @TestHTTPResource URI base;
  @Inject Weir weir;
  @Inject PolicySourceProvider provider;
  @Inject AgroalDataSource shop;

  @Inject
  @DataSource("orders")
  AgroalDataSource orders;

  private List<Map<String, Object>> checks(String group) throws Exception {
    List<Map<String, Object>> ours = new ArrayList<>();
    JsonObject health = new JsonObject(new Client(base).get("/q/health" + group).body());
    for (Object each : health.getJsonArray("checks")) {
      if (((JsonObject) each).getString("name").equals("weir")) {
        ours.add(((JsonObject) each).getMap());
      }
    }
    return ours;
  }

  @Test
  void reportsTheStoreWhereNoProbeAsks() throws Exception {
    Map<String, Object> store =
        Map.of("store", weir.store(), "storeState", "reachable", "nodes", 1);
    List<Map<String, Object>> expected =
        List.of(Map.of("name", "weir", "status", "UP", "data", store));
    assertEquals(expected, checks("/well"));
    assertEquals(expected, checks(""));
    assertEquals(List.of(), checks("/ready"));
    assertEquals(List.of(), checks("/live"));
  }

  @Test
  void measuresIntoTheRegistryOfTheApplication() throws Exception {
    assertEquals(200, new Client(base).status("/shelf"));
    assertEquals(
        1,
        Metrics.globalRegistry
            .get("weir.decisions")
            .tags("policy", "shelf", "outcome", "admitted")
            .counter()
            .count());
    List<Meter> withoutTags =
        Metrics.globalRegistry.getMeters().stream()
            .filter(each -> each.getId().getName().startsWith("weir."))
            .filter(each -> !"north".equals(each.getId().getTag("region")))
            .toList();
    assertEquals(List.of(), withoutTags);
    assertEquals("1", Metrics.globalRegistry.get("weir.buckets").gauge().getId().getTag("weir"));
  }

  @Test
  void opensRulesInTheDatasourceOfThatNameElseInTheDefault() throws Exception {
    assertTrue(Rules.of(weir).isPresent());
    Waiting.until("tables in orders", () -> hasRules(orders));
    assertFalse(hasRules(shop));
    try (PolicySource ofShop = open("datasource:").orElseThrow()) {
      Waiting.until("tables in " + ofShop, () -> hasRules(shop));
    }
  }

  private static boolean hasRules(AgroalDataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        ResultSet tables =
            connection.getMetaData().getTables(null, "WEIR", "RATE_LIMIT_RULES", null)) {
      return tables.next();
    }
  }

  @Test
  void namesTheApplicationOfTheRules() throws Exception {
    Waiting.until("a row of the node", () -> applications().equals(List.of("shop")));
  }

  private List<String> applications() throws SQLException {
    return texts("SELECT application FROM weir.weir_nodes");
  }

  @Test
  void leavesTheDatabaseToFlywayFirst() throws Exception {
    assertEquals(List.of(), texts("SELECT schema_name FROM schemas"));
  }

  private List<String> texts(String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = orders.getConnection();
        ResultSet rows = connection.createStatement().executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  @Test
  void namesTheDatasourcesThatThereAre() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> open("datasource:order")).getMessage();
    assertEquals(
        "weir.rules=datasource:order names no datasource of Quarkus; the application has <default>,"
            + " orders",
        message);
  }

  private Optional<PolicySource> open(String rules) {
    Map<String, String> settings = Map.of("weir.rules", rules, "weir.rules.schema", "weir");
    return provider.open(name -> settings.getOrDefault(name, ""));
  }

  /** Reads the names in the sources that find classes by them. */
  @Test
  void keepsInANativeImageWhatWeirFindsByName() throws Exception {
    Set<String> named = new TreeSet<>();
    for (java.nio.file.Path source : files("src/main/java")) {
      String text = Files.readString(source);
      if (text.contains("forName(") || text.contains("ClassPresence")) {
        CLASS_NAME.matcher(text).results().map(each -> each.group(1)).forEach(named::add);
      }
    }
    named.removeIf(each -> !isPresent(each));
    assertTrue(named.contains("org.h2.Driver"), named::toString);
    named.removeIf(each -> kept("methods " + each));
    assertEquals(Set.of(), named);
  }

  private static boolean isPresent(String type) {
    try {
      Class.forName(type, false, Thread.currentThread().getContextClassLoader());
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }

  private static boolean kept(String line) {
    try {
      return NativeHints.read().contains(line);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void keepsServicesAndFilesInANativeImage() throws Exception {
    List<String> patterns =
        NativeHints.read().stream()
            .filter(each -> each.startsWith("files "))
            .map(each -> each.substring("files ".length()))
            .toList();
    Set<String> missing = new TreeSet<>();
    for (java.nio.file.Path file : files("src/main/resources")) {
      String name = file.toString().replaceFirst(".*/src/main/resources/", "");
      if (name.startsWith("META-INF/services/io.weir.")) {
        Files.readAllLines(file).stream()
            .filter(each -> isPresent(each) && !kept(name + " " + each))
            .forEach(each -> missing.add(name + " " + each));
      } else if (name.startsWith("io/") && patterns.stream().noneMatch(name::matches)) {
        missing.add(name);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(kept("methods " + Shelf.class.getName()));
    assertTrue(kept("proxy java.sql.Connection"));
  }

  /** Returns the files of a folder in the modules that an application with Quarkus may have. */
  private static List<java.nio.file.Path> files(String folder) throws IOException {
    List<java.nio.file.Path> all = new ArrayList<>();
    for (String module : MODULES) {
      java.nio.file.Path root = java.nio.file.Path.of("../../..", module, folder);
      if (!Files.exists(root)) {
        continue;
      }
      try (Stream<java.nio.file.Path> files = Files.walk(root)) {
        files.filter(Files::isRegularFile).forEach(all::add);
      }
    }
    return all;
  }
}
