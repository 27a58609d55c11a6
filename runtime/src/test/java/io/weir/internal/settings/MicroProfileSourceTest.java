package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.weir.InvalidSettingException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicroProfileSourceTest {
  /** A source over a map that a test changes. */
  private record Given(Map<String, String> values) implements ConfigSource {
    @Override
    public Set<String> getPropertyNames() {
      return Set.copyOf(values.keySet());
    }

    @Override
    public String getValue(String name) {
      return values.get(name);
    }

    @Override
    public String getName() {
      return "given";
    }
  }

  private final Map<String, String> given = new HashMap<>();
  private final URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader());
  private final Config config =
      new SmallRyeConfigBuilder().addDefaultInterceptors().withSources(new Given(given)).build();

  @BeforeEach
  void register() {
    ConfigProviderResolver.instance().registerConfig(config, loader);
  }

  @AfterEach
  void release() throws IOException {
    ConfigProviderResolver.instance().releaseConfig(config);
    loader.close();
  }

  private LiveSettings load(Map<String, String> onTop) {
    return LiveSettings.load(loader, onTop);
  }

  @Test
  void readsWhatTheApplicationsConfigHas() {
    given.put("weir.policy.Hello.hello.limit", "7");
    given.put("weir.headers", "none");
    given.put("quarkus.http.port", "8081");
    try (LiveSettings live = load(Map.of("weir.headers", "ietf"))) {
      assertEquals("7", live.current().text("weir.policy.Hello.hello.limit", ""));
      assertEquals("ietf", live.current().text("weir.headers", ""));
    }
  }

  @Test
  void followsWhatChangesThere() {
    try (LiveSettings live = load(Map.of())) {
      given.put("weir.enabled", "false");
      live.refresh();
      assertEquals("false", live.current().text("weir.enabled", ""));
    }
  }

  @Test
  void namesThePlaceOfAMistake() {
    given.put("weir.enabeld", "false");
    String message =
        assertThrows(InvalidSettingException.class, () -> load(Map.of()).close()).getMessage();
    assertTrue(message.contains("(MicroProfile Config): unknown setting"), message);
  }

  /** SmallRye lists each variable as a name, too, with dots for hyphens. */
  @Test
  void aVariableIsTakenByTheNameOfItsSettingOrLeftToTheEnvironment() {
    Map<String, String> misspelled = Map.of("WEIR_STORE_REDIS_VERIFY_HOSTS", "false");
    Map<String, String> variables = new HashMap<>(misspelled);
    variables.put("WEIR_STORE_REDIS_VERIFY_HOST", "false");
    variables.put("WEIR_ON_STORE_FAILURE", "open");
    Map<String, String> read =
        readThroughSmallRye(variables, misspelled, DeclaredModuleSettings.in(loader));
    assertEquals(
        Map.of("weir.store.redis.verify-host", "false", "weir.on-store-failure", "open"), read);
  }

  @Test
  void aMisspelledVariableOfAnotherPlaceIsNotIgnored() {
    Map<String, String> read =
        readThroughSmallRye(Map.of("WEIR_ENABELD", "false"), Map.of(), DeclaredModuleSettings.NONE);
    assertEquals(Map.of("weir.enabeld", "false"), read);
  }

  /** As in Quarkus' file .env, which the environment doesn't have. */
  @Test
  void aVariableOfAnotherRegionIsTakenByTheNameOfItsSetting() {
    Map<String, String> read =
        readThroughSmallRye(
            Map.of(
                "WEIR_REGION_US_EAST_STORE", "redis://us",
                "WEIR_REGION_US_EAST_STORE_REDIS_VERIFY_HOST", "false",
                "WEIR_REGION_AP_STORE", "redis://ap"),
            Map.of(),
            DeclaredModuleSettings.in(loader));
    assertEquals(
        Map.of(
            "weir.region.us-east.store", "redis://us",
            "weir.region.us-east.store.redis.verify-host", "false",
            "weir.region.ap.store", "redis://ap"),
        read);
  }

  private Map<String, String> readThroughSmallRye(
      Map<String, String> variables,
      Map<String, String> environment,
      DeclaredModuleSettings declared) {
    ConfigProviderResolver.instance().releaseConfig(config);
    Config smallRye =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withSources(new EnvConfigSource(variables, 300))
            .build();
    ConfigProviderResolver.instance().registerConfig(smallRye, loader);
    try {
      return MicroProfileSource.find(loader, declared, () -> environment)
          .get()
          .orElseThrow()
          .values();
    } finally {
      ConfigProviderResolver.instance().releaseConfig(smallRye);
    }
  }

  /** As of a Service named weir-server-http. */
  @Test
  void variablesThatDescribeServicesAreNoSettings(@TempDir Path directory) throws IOException {
    Map<String, String> pod =
        Map.of(
            "WEIR_SERVER_HTTP_PORT",
            "tcp://10.0.0.1:8070",
            "WEIR_SERVER_HTTP_SERVICE_HOST",
            "10.0.0.1",
            "WEIR_HEADERS",
            "none");
    DeclaredModuleSettings ports = SettingsLoaderTest.ports(directory);
    assertEquals(Map.of("weir.headers", "none"), readThroughSmallRye(pod, pod, ports));
  }

  @Test
  void anExpressionThatCantBeResolvedIsAMistake() {
    given.put("weir.headers", "${nobody.knows}");
    String message =
        assertThrows(InvalidSettingException.class, () -> load(Map.of()).close()).getMessage();
    assertTrue(
        message.startsWith("weir.headers = '${nobody.knows}' (MicroProfile Config): must"),
        message);
  }
}
