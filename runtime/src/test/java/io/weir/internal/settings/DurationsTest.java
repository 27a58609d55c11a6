package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  private static Duration read(String text) {
    return SettingsSnapshot.of(Map.of("weir.default.window", text))
        .duration("weir.default.window", Duration.ofDays(99));
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "10s, PT10S",
    "10 s, PT10S",
    "10S, PT10S",
    "1m, PT1M",
    "2h, PT2H",
    "1d, PT24H",
    "366d, PT8784H",
    "60, PT1M",
    "PT10S, PT10S",
    "pt0.25s, PT0.25S",
    "P1DT1H, PT25H",
    "36600d, P36600D"
  })
  void readsADuration(String text, Duration expected) {
    assertEquals(expected, read(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s",
        "ten",
        "1.5s",
        "10 minutes",
        "10us",
        "-1s",
        "0",
        "0s",
        "PT0S",
        "PT-1S",
        "36601d",
        "999999999999999999d",
        "99999999999999999999",
        "P9999999999999999D",
        "1h30m",
        "٣s"
      })
  void refusesWhatIsNone(String text) {
    String message = assertThrows(InvalidSettingException.class, () -> read(text)).getMessage();
    assertTrue(
        message.startsWith("weir.default.window = '" + text + "' (given): must be "), message);
  }
}
