package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names below {@code weir.store.<kind>.}; Redis isn't the store in use. */
class StoreKindSettingsTest {
  private static final String MISSPELLED = "weir.store.redis.verify_host";
  private static final String NEAREST =
      "unknown setting; did you mean weir.store.redis.verify-host?";
  private static final DeclaredModuleSettings DECLARED =
      DeclaredModuleSettings.in(StoreKindSettingsTest.class.getClassLoader());

  @TempDir Path directory;
  private Places places;

  @BeforeEach
  void start() {
    places = new Places(directory, DECLARED);
  }

  private String refusal() {
    return String.valueOf(assertThrows(InvalidSettingException.class, places::read).getMessage());
  }

  @Test
  void aMisspelledOneStopsTheStartWhereverItIs() throws IOException {
    Map<String, Map<String, String>> byPlace =
        Map.of(
            "init parameter", places.onTop,
            "live settings", places.live,
            "MicroProfile Config", places.microProfile,
            "system property", places.properties,
            "class path", places.classPath);
    byPlace.forEach(
        (place, values) -> {
          values.put(MISSPELLED, "true");
          assertEquals(MISSPELLED + " = 'true' (" + place + "): " + NEAREST, refusal());
          values.clear();
        });
    Files.writeString(directory.resolve("weir.properties"), MISSPELLED + "=true");
    assertTrue(refusal().endsWith("weir.properties): " + NEAREST), refusal());
  }

  @ParameterizedTest
  @CsvSource({
    "weir.store.Redis.user, weir.store.redis.user",
    "weir.store.rediss.user, weir.store.redis.user",
    "weir.store.redis-cluster.user, weir.store.redis.user",
    "weir.store.inprocess.max-buckets, weir.store.max-buckets"
  })
  void theKindIsTheOneThatIsDeclared(String name, String nearest) {
    places.onTop.put(name, "1");
    String message = refusal();
    assertTrue(message.endsWith("unknown setting; did you mean " + nearest + "?"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weir.store.mine.user",
        "weir.store.cassandra.any",
        "weir.store.redis.connections"
      })
  void othersArePassedAsTheyAre(String name) {
    places.onTop.put(name, "");
    assertEquals("", places.read().text(name, "unset"));
  }

  @Test
  void aVariableIsOnlyWarnedOf() {
    places.environment.put("WEIR_STORE_REDIS_VERIFY_HOSTS", "true");
    places.environment.put("WEIR_STORE_REDIS_VERIFYHOST", "false");
    places.environment.put("WEIR_STORE_REDIS_TRUST_STORE", "file");
    places.environment.put("WEIR_STORE_MINE_VERIFY_HOST", "true");
    SettingsSnapshot settings = places.read();
    assertEquals(
        List.of(
            "environment variable WEIR_STORE_REDIS_VERIFY_HOSTS: unknown setting; did you mean"
                + " WEIR_STORE_REDIS_VERIFY_HOST?"),
        settings.warnings());
    assertEquals("false", settings.text("weir.store.redis.verify-host", ""));
  }

  @Test
  void aMisspelledOneRefusesAChangeAsAWhole() {
    try (LogLines logged = new LogLines(LiveSettings.class);
        LiveSettings live = new LiveSettings(places::read)) {
      places.live.putAll(Map.of(MISSPELLED, "true", "weir.headers", "none"));
      live.refresh();
      assertEquals("both", live.current().text("weir.headers", "both"));
      assertEquals(1, logged.errors().size());
      assertTrue(logged.errors().get(0).endsWith(NEAREST), logged.errors().get(0));
    }
  }
}
