package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.spi.ModuleSetting;
import io.weir.test.docs.SettingsPage;
import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of settings that would be without effect stop the start, whichever store is in use. */
class PostgresSettingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"postgres.ssl_mode", "postgresql.ssl-mode", "jdbc.ssl-mode"})
  void aMisspelledSettingOfTlsStopsTheStart(String misspelled) {
    String name = "weir.store." + misspelled;
    String message =
        assertThrows(
                InvalidSettingException.class,
                () ->
                    Weir.builder()
                        .onlyGivenSettings()
                        .settings(Map.of(name, "verify-full"))
                        .build())
            .getMessage();
    assertEquals(
        name
            + " = 'verify-full' (given): unknown setting; did you mean"
            + " weir.store.postgres.ssl-mode?",
        message);
  }

  @Test
  void allSettingsAreOnThePage() throws IOException {
    assertEquals(
        SettingsPage.names("weir.store.postgres."),
        new PostgresSettings()
            .settings().stream()
                .map(ModuleSetting::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
