package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  @ParameterizedTest
  @CsvSource({
    "kitten, sitting, 3",
    "limit, limit, 0",
    "LIMIT, limit, 0",
    "limit, limits, 1",
    "limti, limit, 2",
    "'', abc, 3",
    "abc, '', 3",
    "flaw, lawn, 2"
  })
  void countsTheEditsBetweenTwoWords(String from, String to, int edits) {
    assertEquals(edits, Nearest.distance(from, to));
    assertEquals(edits, Nearest.distance(to, from));
  }

  @Test
  void suggestsTheNearestButNothingFar() {
    List<String> known = List.of("Hello.hello", "Search.search", "Free");
    assertEquals(Optional.of("Hello.hello"), Nearest.to("Helo.hello", known));
    assertEquals(Optional.empty(), Nearest.to("Completely.different", known));
    assertEquals("; did you mean Free?", Nearest.hint("Fre", known));
    assertEquals("", Nearest.hint("Completely.different", known));
  }
}
