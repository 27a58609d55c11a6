package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
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
    assertEquals(edits, NearestWord.distance(from, to));
    assertEquals(edits, NearestWord.distance(to, from));
  }

  @Test
  void suggestsTheNearestButNothingFar() {
    List<String> known = List.of("Hello.hello", "Search.search", "Free");
    assertEquals(Optional.of("Hello.hello"), NearestWord.to("Helo.hello", known));
    assertEquals(Optional.empty(), NearestWord.to("Completely.different", known));
    assertEquals("; did you mean Free?", NearestWord.hint("Fre", known));
    assertEquals("", NearestWord.hint("Completely.different", known));
  }
}
