package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsLoaderTest {
  /** As the server declares it. */
  public static final class Ports implements ModuleSettings {
    @Override
    public List<ModuleSetting> settings() {
      return List.of(ModuleSetting.number("weir.server.http.port", 8070, 0, 65_535));
    }
  }

  /** Finds it by a file in a directory. */
  static DeclaredModuleSettings ports(Path directory) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(services.resolve(ModuleSettings.class.getName()), Ports.class.getName());
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, SettingsLoaderTest.class.getClassLoader())) {
      return DeclaredModuleSettings.in(loader);
    }
  }

  private static final String NAME = "weir.policy.Hello.hello.limit";

  @TempDir Path directory;
  private Places places;

  @BeforeEach
  void start() {
    places = new Places(directory);
  }

  private void file(String text) throws IOException {
    Files.writeString(directory.resolve("weir.properties"), text);
  }

  private String limit() {
    return places.read().text(NAME, "nothing");
  }

  @Test
  void eachPlaceGoesBeforeTheOneBelow() throws IOException {
    assertEquals("nothing", limit());
    places.classPath.put(NAME, "1");
    assertEquals("1", limit());
    file(NAME + "=2");
    assertEquals("2", limit());
    places.environment.put("WEIR_POLICY_HELLO_HELLO_LIMIT", "3");
    assertEquals("3", limit());
    places.properties.put(NAME, "4");
    assertEquals("4", limit());
    places.microProfile.put(NAME, "5");
    assertEquals("5", limit());
    places.onTop.put(NAME, "6");
    assertEquals("6", limit());
    assertEquals(Map.of(NAME, "6"), places.read().all());
  }

  @Test
  void theFileIsTheOneThatIsNamed() throws IOException {
    file(NAME + "=1");
    Path other = Files.writeString(directory.resolve("other.properties"), NAME + "=2");
    places.classPath.put("weir.config", "other.properties");
    assertEquals("2", limit());
    places.environment.put("WEIR_CONFIG", directory.resolve("weir.properties").toString());
    assertEquals("1", limit());
    places.properties.put("weir.config", other.toString());
    assertEquals("2", limit());
  }

  @Test
  void aNamedFileMayAppearLater() throws IOException {
    places.properties.put("weir.config", "later.properties");
    assertEquals("nothing", limit());
    assertEquals(
        List.of(
            "weir.config: the file "
                + directory.resolve("later.properties")
                + " doesn't exist; it will be read once it does"),
        places.read().warnings());
    Files.writeString(directory.resolve("later.properties"), NAME + "=7");
    assertEquals("7", limit());
    assertEquals(List.of(), places.read().warnings());
  }

  @Test
  void theFileIsReadAsUtf8AndKeepsNoBlanks() throws IOException {
    file("weir.default.key = header:\u00e4 \\u00e4  \n");
    assertEquals("header:\u00e4 \u00e4", places.read().text("weir.default.key", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir.config=x", "weir.enabled=\\u00zz", "limit=3", "weir.enabeld=true"})
  void namesTheFileOfAMistake(String line) throws IOException {
    file(line);
    String message = assertThrows(InvalidSettingException.class, places::read).getMessage();
    assertTrue(message.contains("file " + directory.resolve("weir.properties")), message);
  }

  @Test
  void aDirectoryOrAPathThatCantBeIsAMistake() {
    places.properties.put("weir.config", ".");
    assertThrows(InvalidSettingException.class, places::read);
    places.properties.put("weir.config", "a\u0000b");
    assertThrows(InvalidSettingException.class, places::read);
  }

  @Test
  void namesThePlaceOfAnUnknownNameWherever() {
    for (Map<String, String> place :
        List.of(places.properties, places.microProfile, places.onTop)) {
      place.put("weir.enabeld", "true");
    }
    String message = assertThrows(InvalidSettingException.class, places::read).getMessage();
    for (String place : List.of("init parameter", "MicroProfile Config", "system property")) {
      String line =
          "weir.enabeld = 'true' (" + place + "): unknown setting; did you mean weir.enabled?";
      assertTrue(message.contains(line), message);
    }
  }

  @Test
  void aMalformedVariableIsAMistakeThatNamesIt() {
    places.environment.put("WEIR_ENABLED", "maybe");
    assertEquals(
        "weir.enabled = 'maybe' (environment variable WEIR_ENABLED): must be true or false",
        assertThrows(InvalidSettingException.class, places::read).getMessage());
  }

  @Test
  void variablesNameRegions() {
    places.environment.put("WEIR_REGION", "eu");
    places.environment.put("WEIR_REGIONS_INTERVAL", "2s");
    places.environment.put("WEIR_REGION_US_EAST_STORE", "redis://us");
    places.environment.put("WEIR_REGION_US_EAST_STORE_TIMEOUT", "2s");
    places.environment.put("WEIR_REGION_US_EAST_STORE_MINE_USER", "me");
    places.environment.put("WEIR_REGION_AP_STORE_TIMEUOT", "2s");
    SettingsSnapshot settings = places.read();
    assertEquals(Set.of("ap", "us-east"), settings.regions());
    assertEquals("redis://us", settings.text("weir.region.us-east.store", ""));
    assertEquals("me", settings.text("weir.region.us-east.store.mine.user", ""));
    assertEquals(
        List.of(
            "environment variable WEIR_REGION_AP_STORE_TIMEUOT: unknown setting; did you mean"
                + " WEIR_REGION_AP_STORE_TIMEOUT?"),
        settings.warnings());
    places.environment.put("WEIR_REGION_US_EAST_STORE_TIMEOUT", "20s");
    String message = assertThrows(InvalidSettingException.class, places::read).getMessage();
    assertTrue(
        message.startsWith("weir.region.us-east.store.timeout = '20s' (environment variable"),
        message);
  }

  /** As Spring has it; and a region may be called like a part of the settings' names. */
  @Test
  void variablesNameRegionsWithoutTheirHyphensAndThoseCalledStore() {
    places.environment.put("WEIR_REGION_USEAST_STORE_MINE_USER", "me");
    places.environment.put("WEIR_REGION_STORE_STORE", "redis://store");
    places.environment.put("WEIR_REGION_US_STORE_STORE", "redis://us");
    places.environment.put("WEIR_REGION_US_STORE_STORE_MINE_USER", "you");
    places.properties.put("weir.region.us-east.store", "redis://us");
    SettingsSnapshot settings = places.read();
    assertEquals(Set.of("store", "us-east", "us-store"), settings.regions());
    assertEquals("me", settings.text("weir.region.us-east.store.mine.user", ""));
    assertEquals("redis://store", settings.text("weir.region.store.store", ""));
    assertEquals("redis://us", settings.text("weir.region.us-store.store", ""));
    assertEquals("you", settings.text("weir.region.us-store.store.mine.user", ""));
    assertEquals(List.of(), settings.warnings());
    places.environment.put("WEIR_REGION_USEAST_STORE", "redis://another");
    places.properties.put("weir.region.useast.store", "redis://another");
    assertEquals(Set.of("store", "us-east", "us-store", "useast"), places.read().regions());
  }

  @Test
  void anUnknownVariableIsOnlyWarnedOfWithTheNearest() {
    places.environment.put("WEIR_ENABELD", "true");
    places.environment.put("WEIR_POLICY_HELO_HELLO_LIMIT", "5");
    places.environment.put("WEIR_TEST_ANYTHING", "5");
    places.environment.put("WEIR_COST_POST", "5");
    places.environment.put("WEIR_STORE_MINE_USER", "me");
    places.environment.put("PATH", "/bin");
    SettingsSnapshot settings = places.read();
    assertEquals(
        List.of(
            "environment variable WEIR_ENABELD: unknown setting; did you mean" + " WEIR_ENABLED?"),
        settings.warnings());
    assertEquals(
        List.of(
            "environment variable WEIR_POLICY_HELO_HELLO_LIMIT: unknown setting;"
                + " did you mean WEIR_POLICY_HELLO_HELLO_LIMIT?"),
        settings.unknownVariables("WEIR_POLICY_", () -> List.of(NAME)));
    assertEquals("me", settings.text("weir.store.mine.user", ""));
    assertEquals(5, settings.number("weir.cost.POST", 1, 1, 10));
  }

  @Test
  void aPlaceOfTheApplicationIsReadEachTimeAndOverridesAllButParameters() {
    places.microProfile.put("weir.headers", "x-ratelimit");
    places.live.put("weir.headers", "ietf");
    places.live.put("spring.application.name", "of somebody else");
    assertEquals(Map.of("weir.headers", "ietf"), places.read().all());
    places.live.put("weir.headers", "none");
    assertEquals("none", places.read().text("weir.headers", ""));
    places.onTop.put("weir.headers", "both");
    assertEquals("both", places.read().text("weir.headers", ""));
    places.live.put("weir.headrs", "both");
    InvalidSettingException mistake =
        assertThrows(InvalidSettingException.class, () -> places.read());
    assertTrue(mistake.getMessage().contains("live settings"), mistake.getMessage());
  }

  @Test
  void variablesOfAPlaceOfTheApplicationAreBelowItsNamesAndAboveAllOtherPlaces() {
    places.microProfile.put("weir.headers", "x-ratelimit");
    places.microProfile.put("weir.zone", "UTC");
    places.environment.put("WEIR_ZONE", "Europe/Rome");
    places.live.put("weir.headers", "ietf");
    places.live.put("WEIR_HEADERS", "none");
    places.live.put("WEIR_ZONE", "Europe/Berlin");
    SettingsSnapshot settings = places.read();
    assertEquals("ietf", settings.text("weir.headers", ""));
    assertEquals("Europe/Berlin", settings.text("weir.zone", ""));
    places.live.put("WEIR_ENABLED", "perhaps");
    places.environment.put("WEIR_ENABLED", "perhaps");
    String mistake = assertThrows(InvalidSettingException.class, () -> places.read()).getMessage();
    assertEquals(1, mistake.lines().count(), mistake);
  }

  @Test
  void aVariableMayLeaveOutTheHyphens() {
    places.environment.put("WEIR_STORE_MAXBUCKETS", "7");
    places.environment.put("WEIR_WRITEBACK_MAX_BUCKETS", "8");
    places.environment.put("WEIR_WRITEBACK_MAXBUCKETS", "9");
    places.environment.put("WEIR_ONSTOREFAILURE", "open");
    places.environment.put("WEIR_ON_STORE_FAILURE", "closed");
    SettingsSnapshot settings = places.read();
    assertEquals("7", settings.text("weir.store.max-buckets", ""));
    assertEquals("9", settings.text("weir.write-back.max-buckets", ""));
    assertEquals("closed", settings.text("weir.on-store-failure", ""));
    assertTrue(settings.anyUnder("weir.write-back."));
    assertEquals(
        List.of(
            "environment variable WEIR_WRITEBACK_MAX_BUCKETS: unknown setting; did you mean"
                + " WEIR_WRITE_BACK_MAX_BUCKETS?"),
        settings.warnings());
  }

  @Test
  void otherPeoplesNamesAreLeftAloneWhereTheyMayStand() {
    places.properties.put("user.dir", "/");
    places.properties.put("weir.test.seed", "1");
    assertEquals(Map.of(), places.read().all());
  }

  @Test
  void readsTheClassPathAndIgnoresParametersOfOthers() throws IOException {
    file(NAME + "=8");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, null);
        LiveSettings live = LiveSettings.load(loader, Map.of("phase", "before"))) {
      assertEquals("8", live.current().text(NAME, "nothing"));
    }
  }

  /** As of a Service named weir-server-http, and of one named weir. */
  @Test
  void variablesThatDescribeServicesAreNoSettings() throws IOException {
    Places server = new Places(directory, ports(directory));
    server.environment.put("WEIR_SERVER_HTTP_PORT", "tcp://10.0.0.1:8070");
    server.environment.put("WEIR_SERVER_HTTP_PORT_8070_TCP", "tcp://10.0.0.1:8070");
    server.environment.put("WEIR_SERVER_HTTP_PORT_8070_TCP_PROTO", "tcp");
    server.environment.put("WEIR_SERVER_HTTP_PORT_8070_TCP_PORT", "8070");
    server.environment.put("WEIR_SERVER_HTTP_PORT_8070_TCP_ADDR", "10.0.0.1");
    server.environment.put("WEIR_SERVER_HTTP_SERVICE_HOST", "10.0.0.1");
    server.environment.put("WEIR_SERVER_HTTP_SERVICE_PORT", "8070");
    server.environment.put("WEIR_SERVER_HTTP_SERVICE_PORT_WEB", "8070");
    server.live.put("WEIR_PORT", "udp://[fd00::1]:53"); // as Spring's environment lists it
    SettingsSnapshot settings = server.read();
    assertEquals("8070 unless set", settings.text("weir.server.http.port", "8070 unless set"));
    assertEquals(Map.of(), settings.all());
    assertEquals(1, settings.warnings().size(), settings.warnings()::toString);
    String warning = settings.warnings().get(0);
    assertTrue(warning.startsWith("environment variable WEIR_PORT and 8 more"), warning);
    assertTrue(warning.contains("enableServiceLinks: false"), warning);
    file("weir.server.http.port=8071");
    assertEquals("8071", server.read().text("weir.server.http.port", ""));
    server.environment.put("WEIR_SERVER_HTTP_PORT", "8072");
    assertEquals("8072", server.read().text("weir.server.http.port", ""));
    server.environment.put("WEIR_SERVER_HTTP_PORT", "tcp");
    assertThrows(InvalidSettingException.class, server::read);
  }
}
