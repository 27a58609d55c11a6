package io.weir.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.1S, 100 ms",
    "PT0.0025S, 2.5 ms",
    "PT1S, 1 s",
    "PT12.345678S, 12.345678 s",
    "PT59S, 59 s",
    "PT1M, 1 minute",
    "PT10M, 10 minutes",
    "PT90S, 90 s",
    "PT2H, 2 hours",
    "PT24H, 1 day",
    "PT48H, 2 days",
  })
  void writesDurationsAsPeopleDo(Duration length, String text) {
    assertEquals(text, DurationText.inWords(length));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.1S, 100 ms",
    "PT1S, second",
    "PT10S, 10 seconds",
    "PT1.5S, 1.5 s",
    "PT1M, minute",
    "PT90S, 90 seconds",
    "PT10M, 10 minutes",
    "PT1H, hour",
    "PT24H, day"
  })
  void writesWindowsAsTheyFollowPer(Duration window, String text) {
    assertEquals(text, DurationText.asWindow(window));
  }
}
