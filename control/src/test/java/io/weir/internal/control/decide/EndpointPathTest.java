package io.weir.internal.control.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.internal.control.json.InvalidFieldException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndpointPathTest {
  @Test
  void allSpellingsAreOne() {
    Map<String, String> spellings =
        Map.ofEntries(
            Map.entry("/", "/"),
            Map.entry("//", "/"),
            Map.entry("/a/", "/a"),
            Map.entry("/a//b", "/a/b"),
            Map.entry("/a/./b", "/a/b"),
            Map.entry("/a/../b", "/b"),
            Map.entry("/../../a", "/a"),
            Map.entry("/%2e%2E/a", "/a"),
            Map.entry("/a%2Fb", "/a/b"),
            Map.entry("/a;x=1;y/b;z", "/a/b"),
            Map.entry("/a%3Bb", "/a;b"),
            Map.entry("/a?b#c", "/a"),
            Map.entry("/a#c?b", "/a"),
            Map.entry("/a%3Fb", "/a?b"),
            Map.entry("/%C3%A4", "/ä"),
            Map.entry("/ä", "/ä"),
            Map.entry("/%2541", "/%41"),
            Map.entry("/a+b", "/a+b"),
            Map.entry("/posts/{id}", "/posts/{id}"),
            Map.entry("policy:a%20b", "policy:a%20b"));
    spellings.forEach((written, usual) -> assertEquals(usual, EndpointPath.of(written), written));
  }

  @Test
  void whatCannotBeDecodedIsRefused() {
    String[] garbled = {"/%", "/%4", "/%4g", "/%g4", "/%ff", "/%c0%80", "/%00", "/%ed%a0%80"};
    for (String each : garbled) {
      assertThrows(InvalidFieldException.class, () -> EndpointPath.of(each), each);
    }
  }

  @Test
  void whatIsNoPathIsRefused() {
    String tooLong = "/" + "a".repeat(8_192);
    for (String each : new String[] {"", "a", "http://a/b", "*", " /a", tooLong}) {
      assertThrows(InvalidFieldException.class, () -> EndpointPath.of(each), each);
    }
  }
}
