package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsLoaderTest {
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
                + " doesn't exist; it is read once it does"),
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
}
