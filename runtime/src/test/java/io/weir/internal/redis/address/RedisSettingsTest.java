package io.weir.internal.redis.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.ModuleSetting;
import io.weir.test.docs.SettingsPage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {
  private static final RedisAddress ADDRESS =
      RedisAddressParser.parse(URI.create("redis://joe:pwd@h:6379"));

  private static RedisSettings read(Map<String, String> given) {
    return new RedisSettings(name -> given.getOrDefault(name, ""));
  }

  @Test
  void allSettingsAreOnThePage() throws IOException {
    assertEquals(
        SettingsPage.names("weir.store.redis."),
        new RedisSettings()
            .settings().stream()
                .map(ModuleSetting::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void nothingNeedsToBeSet() {
    RedisSettings settings = read(Map.of());
    assertEquals(new Login("joe", "pwd"), settings.login(ADDRESS));
    assertEquals(Login.NONE, settings.sentinelLogin());
    assertEquals(2, settings.get(RedisSettings.CONNECTIONS));
    assertEquals(Duration.ofMillis(100), settings.storeTimeout());
    assertEquals(200, settings.commandMillis());
    assertEquals(200, settings.connectMillis());
    assertTrue(settings.get(RedisSettings.VERIFY_HOST));
  }

  @Test
  void aLateAnswerIsWaitedForTwiceAsLongAsADecisionIs() {
    assertEquals(3_000, read(Map.of("weir.store.timeout", "1500ms")).commandMillis());
    assertEquals(20_000, read(Map.of("weir.store.timeout", "PT10S")).commandMillis());
    assertEquals(1, read(Map.of("weir.store.timeout", "PT0.0000001S")).commandMillis());
  }

  @Test
  void settingsGoBeforeTheAddress() {
    RedisSettings settings =
        read(
            Map.of(
                "weir.store.redis.user", "jane",
                "weir.store.redis.password", " secret ",
                "weir.store.redis.sentinel-user", "eye",
                "weir.store.redis.sentinel-password", "see",
                "weir.store.redis.connections", " 64 ",
                "weir.store.redis.connect-timeout", "1s",
                "weir.store.redis.command-timeout", "1m",
                "weir.store.redis.verify-host", "FALSE"));
    assertEquals(new Login("jane", " secret "), settings.login(ADDRESS));
    assertEquals(new Login("eye", "see"), settings.sentinelLogin());
    assertEquals(64, settings.get(RedisSettings.CONNECTIONS));
    assertEquals(1_000, settings.connectMillis());
    assertEquals(60_000, settings.commandMillis());
    assertFalse(settings.get(RedisSettings.VERIFY_HOST));
    assertFalse(settings.toString().contains("secret"), settings.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "store.redis.connections, 0",
    "store.redis.connections, 65",
    "store.redis.connections, -1",
    "store.redis.connections, many",
    "store.redis.connections, 99999999999",
    "store.redis.connect-timeout, 0",
    "store.redis.connect-timeout, 61s",
    "store.redis.connect-timeout, -1s",
    "store.redis.command-timeout, soon",
    "store.redis.command-timeout, PT1H",
    "store.redis.verify-host, yes",
    "store.timeout, 0ms",
    "store.timeout, 200",
  })
  void whatIsMalformedNamesTheSetting(String name, String value) {
    String full = "weir." + name;
    String message =
        assertThrows(IllegalArgumentException.class, () -> read(Map.of(full, value))).getMessage();
    assertTrue(message.startsWith(full + " must be "), message);
    assertTrue(message.endsWith("not '" + value + "'"), message);
  }
}
