package io.weir.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingValuesTest {
  private static final String NAME = "weir.store.redis.command-timeout";

  private static SettingValues of(String value) {
    return new SettingValues(name -> Map.of(NAME, value).getOrDefault(name, ""));
  }

  private static String message(Runnable read) {
    return assertThrows(IllegalArgumentException.class, read::run).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "' 10s ', PT10S",
    "7, PT7S",
    "2 H, PT2H",
    "1m, PT1M",
    "1d, PT24H",
    "pt3s, PT3S"
  })
  void durationsAreReadAsPeopleWriteThem(String text, Duration expected) {
    assertEquals(expected, of(text).duration(NAME));
    assertEquals(expected, of(text).duration(NAME, Duration.ofDays(9), Duration.ofDays(2)));
  }

  @Test
  void aDurationThatIsNotSetIsTheDefault() {
    assertEquals(
        Duration.ofSeconds(5),
        of(" ").duration(NAME, Duration.ofSeconds(5), Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10 apples", "-1s", "P", "1.5s"})
  void aMalformedDurationIsRefusedByName(String text) {
    assertEquals(
        NAME
            + " must be a duration such as 500ms, 10s, 1m, 2h, 1d or PT10S; a bare number is seconds, not '"
            + text
            + "'",
        message(() -> of(text).duration(NAME)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0ms", "99999999d", "999999999999999999d"})
  void aDurationOutOfAllRangeIsRefused(String text) {
    message(() -> of(text).duration(NAME));
  }

  @Test
  void aDurationBeyondItsOwnRangeIsRefusedByName() {
    assertEquals(
        NAME
            + " must be a duration such as 500ms or 10s (a bare number is seconds), at most 1 minute,"
            + " not '61s'",
        message(() -> of("61s").duration(NAME, Duration.ZERO, Duration.ofMinutes(1))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1s", "soon"})
  void aDurationWithARangeIsRefusedByThatRange(String text) {
    assertEquals(
        NAME
            + " must be a duration such as 500ms or 10s (a bare number is seconds), at most"
            + " 1 minute, not '"
            + text
            + "'",
        message(() -> of(text).duration(NAME, Duration.ZERO, Duration.ofMinutes(1))));
  }

  @Test
  void numbersKeepToTheirRange() {
    assertEquals(64, of("+64").number(NAME, 3, 1, 100));
    assertEquals(3, of("").number(NAME, 3, 1, 100));
    assertEquals(100, of(" 100 ").number(NAME, 3, 1, 100));
    for (String wrong : new String[] {"0", "101", "x", "99999999999999999999", "1.0"}) {
      assertEquals(
          NAME + " must be a whole number from 1 to 100, not '" + wrong + "'",
          message(() -> of(wrong).number(NAME, 3, 1, 100)));
    }
  }

  @Test
  void flagsAreTrueOrFalse() {
    assertEquals(true, of("TRUE").flag(NAME, false));
    assertEquals(true, of("").flag(NAME, true));
    assertEquals(
        NAME + " must be true or false, not 'yes'", message(() -> of("yes").flag(NAME, true)));
  }

  @Test
  void aTextKeepsItsBlanksAndAWordDoesNot() {
    assertEquals(" a b ", of(" a b ").text(NAME));
    assertEquals("a b", of(" a b ").word(NAME));
  }
}
