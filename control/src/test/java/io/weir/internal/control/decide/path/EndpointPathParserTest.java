package io.weir.internal.control.decide.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.control.json.InvalidFieldException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointPathParserTest {
  private static void assertRefused(String written) {
    assertThrows(InvalidFieldException.class, () -> EndpointPathParser.readings(written), written);
  }

  @Test
  void mostPathsHaveOneReading() {
    Map<String, String> spellings =
        Map.ofEntries(
            Map.entry("/", "/"),
            Map.entry("/a/", "/a"),
            Map.entry("/a///", "/a"),
            Map.entry("/a%3Bb", "/a;b"),
            Map.entry("/a?b#c;//../%2F", "/a"),
            Map.entry("/a%3Fb%23", "/a?b#"),
            Map.entry("/%C3%A4", "/\u00e4"),
            Map.entry("/\u00e4", "/\u00e4"),
            Map.entry("/%2541", "/%41"),
            Map.entry("/%252F", "/%2F"),
            Map.entry("/a+b%20c", "/a+b c"),
            Map.entry("/.../a..b/.c", "/.../a..b/.c"),
            Map.entry("/posts/{id}", "/posts/{id}"),
            Map.entry("policy:a%20b;c//d", "policy:a%20b;c//d"));
    spellings.forEach(
        (written, only) ->
            assertEquals(List.of(only), EndpointPathParser.readings(written), written));
  }

  @Test
  void whatServersReadInSeveralWaysHasThemAll() {
    Map<String, List<String>> spellings =
        Map.ofEntries(
            Map.entry("//", List.of("/")),
            Map.entry("/a//b", List.of("/a/b", "/a//b")),
            Map.entry("//a", List.of("/a", "//a")),
            Map.entry("/a%2fb", List.of("/a/b", "/a%2fb")),
            Map.entry("/a%5Cb", List.of("/a/b", "/a\\b")),
            Map.entry("/a\\b", List.of("/a/b", "/a\\b")),
            Map.entry("/a;x=1;y/b;z", List.of("/a/b", "/a;x=1;y/b;z")),
            Map.entry("/item/;8", List.of("/item", "/item/;8")),
            Map.entry("/a;x%2Fb", List.of("/a", "/a/b", "/a;x/b", "/a;x%2Fb")),
            Map.entry("/%66ree", List.of("/free", "/%66ree")),
            Map.entry("/a%2F/b", List.of("/a/b", "/a//b", "/a%2F/b")));
    spellings.forEach(
        (written, all) -> assertEquals(all, EndpointPathParser.readings(written), written));
  }

  @Test
  void thereAreAtMostEightReadings() {
    assertEquals(8, EndpointPathParser.readings("/a;b/c%2Fd//e").size());
    assertEquals(8, EndpointPathParser.readings("/a;b/c%2Fd%5Ce").size());
    assertRefused("/a;b/c%2Fd%5Ce//f");
    assertRefused("/a;b%2Fc//d/%66");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.",
        "/..",
        "/a/./b",
        "/a/../b",
        "/../a",
        "/%2e%2E/a",
        "/.%2e",
        "/a/..;x/b",
        "/a/..%3Bx",
        "/item/8%2F..%2F..%2Fx",
        "/a%5c..%5Cb",
        "/a\\..\\b",
        "/a%2f.",
        "/%252e%252e/a",
        "/a%252F..%252Fb",
        "/100%25/%252e%252e/a",
        "/a;x=%2F../b"
      })
  void dotSegmentsAreRefusedInAnySpelling(String written) {
    assertRefused(written);
  }

  @Test
  void aLongPathHasNoMoreReadings() {
    for (String each : List.of("/", "%2F", ";", "\\", "%41", "%25", ".", "/;%2f")) {
      String path = "/a" + each.repeat(8_190 / each.length());
      assertTrue(path.length() <= 8_192);
      try {
        assertTrue(EndpointPathParser.readings(path).size() <= 8, each);
      } catch (InvalidFieldException refused) {
        assertEquals("endpoint", refused.field(), each);
      }
    }
  }

  @Test
  void whatCannotBeDecodedIsRefused() {
    String[] garbled = {"/%", "/%4", "/%4g", "/%g4", "/%ff", "/%c0%80", "/%00", "/%ed%a0%80"};
    for (String each : garbled) {
      assertRefused(each);
    }
  }

  @Test
  void whatIsNoPathIsRefused() {
    String tooLong = "/" + "a".repeat(8_192);
    for (String each :
        new String[] {"", "a", "http://a/b", "*", " /a", tooLong, "/a#b", "/a#/b?c"}) {
      assertRefused(each);
    }
  }
}
