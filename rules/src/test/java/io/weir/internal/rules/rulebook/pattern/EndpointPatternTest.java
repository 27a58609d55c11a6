package io.weir.internal.rules.rulebook.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointPatternTest {
  @ParameterizedTest
  @CsvSource({
    "/api/posts, /api/posts, true",
    "/api/posts, /api/posts/1, false",
    "/api/posts, /api, false",
    "/api/posts, /API/posts, false",
    "/api/posts/{id}, /api/posts/{id}, true",
    "/api/posts/{id}, /api/posts/{post}, true",
    "/api/posts/{id}, /api/posts/42, true",
    "/api/posts/{id}, /api/posts, false",
    "/api/posts/{id}, /api/posts/42/likes, false",
    "/api/*, /api, true",
    "/api/*, /api/, true",
    "/api/*, /api/posts, true",
    "/api/*, /api/posts/{id}/likes, true",
    "/api/*, /apis, false",
    "*, /, true",
    "*, /anything/at/all, true",
    "/, /, true",
    "/, /api, false",
    "/api/{id}/*, /api/1, true",
    "/api/{id}/*, /api, false",
  })
  void matchesWhatItSays(String pattern, String endpoint, boolean matches) {
    assertEquals(matches, matches(pattern, endpoint));
  }

  @Test
  void aSlashAtTheEndMakesNoDifference() {
    assertEquals(EndpointPattern.parse("/api/posts"), EndpointPattern.parse("/api/posts/"));
    assertTrue(matches("/api/posts/", "/api/posts"));
    assertTrue(matches("/api/posts", "/api/posts/"));
  }

  @Test
  void namesOfVariablesAndRegularExpressionsDoNotMatter() {
    EndpointPattern plain = EndpointPattern.parse("/posts/{id}");
    assertEquals(plain, EndpointPattern.parse("/posts/{id: [0-9]+}"));
    assertEquals(plain, EndpointPattern.parse("/posts/{slug: [a-z]{3}/?x}"));
    assertTrue(matches("/posts/{id}", "/posts/{id: [0-9]+/[a-z]{2}}"));
  }

  @Test
  void aLiteralNeverMatchesTheVariableOfATemplate() {
    assertFalse(matches("/api/posts/42", "/api/posts/{id}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "api/posts",
        "policy",
        "/a//b",
        "/a/../b",
        "/a/./b",
        "/*/a",
        "/a*",
        "/a/{id}.txt",
        "/{",
        "/{a/{b}",
        "/{a}-{b}",
        "/{a}}",
        "/a?x=1",
        "/a#b",
        "**"
      })
  void whatCanMatchNothingIsAMistake(String pattern) {
    assertThrows(IllegalArgumentException.class, () -> EndpointPattern.parse(pattern));
  }

  @Test
  void exactGoesFirstThenMoreLiteralsThenTheEarlierLiteralThenVariablesThenTheStar() {
    List<String> order =
        List.of(
            "/a/b/c",
            "/a/b/{x}",
            "/a/b/*",
            "/a/{x}/c",
            "/{x}/b/c",
            "/a/{x}/{y}",
            "/a/{x}/*",
            "/a/*",
            "/{x}/b/*",
            "/{x}/{y}/c",
            "/{x}/{y}/{z}",
            "/{x}/{y}/*",
            "/{x}/*",
            "*");
    List<EndpointPattern> sorted = new ArrayList<>();
    for (String each : order) {
      sorted.add(EndpointPattern.parse(each));
    }
    Collections.shuffle(sorted, new Random(1));
    Collections.sort(sorted);
    assertEquals(
        List.of(
            "/a/b/c",
            "/a/b/{}",
            "/a/b/*",
            "/a/{}/c",
            "/{}/b/c",
            "/a/{}/{}",
            "/a/{}/*",
            "/a/*",
            "/{}/b/*",
            "/{}/{}/c",
            "/{}/{}/{}",
            "/{}/{}/*",
            "/{}/*",
            "*"),
        sorted.stream().map(Object::toString).toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderIsTotalAndAgreesWithEquality(long seed) {
    Random random = new Random(seed);
    List<EndpointPattern> all = new ArrayList<>();
    for (int each = 0; each < 40; each++) {
      all.add(any(random));
    }
    for (EndpointPattern a : all) {
      for (EndpointPattern b : all) {
        assertEquals(Integer.signum(a.compareTo(b)), -Integer.signum(b.compareTo(a)));
        assertEquals(a.equals(b), a.compareTo(b) == 0, a + " " + b);
        for (EndpointPattern c : all) {
          if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
            assertTrue(a.compareTo(c) <= 0, a + " " + b + " " + c);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatCoversAnotherPatternIsNeverMoreSpecific(long seed) {
    Random random = new Random(seed);
    for (int each = 0; each < 1_000; each++) {
      EndpointPattern a = any(random);
      EndpointPattern b = any(random);
      if (a.covers(b) && !a.equals(b)) {
        assertTrue(b.compareTo(a) < 0, b + " is narrower than " + a);
        assertFalse(b.covers(a));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theIndexFindsWhatEachPatternMatchesByItself(long seed) {
    Random random = new Random(seed);
    PatternIndex<EndpointPattern> index = new PatternIndex<>();
    Set<EndpointPattern> all = new HashSet<>();
    for (int each = 0; each < 200; each++) {
      EndpointPattern pattern = any(random);
      if (all.add(pattern)) {
        index.add(pattern, pattern);
      }
    }
    for (int each = 0; each < 500; each++) {
      String endpoint = endpoint(random);
      Set<EndpointPattern> wanted = new HashSet<>(all);
      wanted.removeIf(pattern -> !matchesAlone(pattern, endpoint));
      List<EndpointPattern> found = index.find(EndpointForm.TEMPLATE, endpoint);
      assertEquals(wanted, new HashSet<>(found), endpoint);
      assertEquals(wanted.size(), found.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{7", "7}", "{", "}{", "{7}", "{}", "{id: [^", "{7}{"})
  void bracesInAPathAreText(String segment) {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(EndpointPattern.parse("/posts/{id}/comments"), "comments");
    index.add(EndpointPattern.parse("/posts/{id: [^/]+}/likes"), "likes");
    String path = "/posts/" + segment;
    assertEquals(List.of("comments"), index.find(EndpointForm.PATH, path + "/comments"));
    assertEquals(List.of("likes"), index.find(EndpointForm.PATH, path + "/likes/"));
    assertEquals(List.of(), index.find(EndpointForm.PATH, path + "/a/comments"));
  }

  @Test
  void bracesInATemplateAreAVariable() {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(EndpointPattern.parse("/posts/{id}/comments"), "comments");
    String template = "/posts/{id: [^/]+}/comments";
    assertEquals(List.of("comments"), index.find(EndpointForm.TEMPLATE, template));
    assertEquals(List.of(), index.find(EndpointForm.PATH, template));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/caf%C3%A9; , as in '/café'",
        "/a/{id}/caf%c3%a9/*; , as in '/a/{id}/café/*'",
        "/1+1%20; , as in '/1+1 '",
        "/100%; ''",
        "/%ff; ''"
      })
  void aPatternIsWrittenDecoded(String pattern, String instead) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> EndpointPattern.parse(pattern));
    assertEquals("must have no %: endpoints are decoded" + instead, wrong.getMessage());
  }

  @Test
  void anExpressionMayHaveAPercentSign() {
    assertEquals("/a/{}", EndpointPattern.parse("/a/{id: [%]+}").toString());
  }

  @Test
  void whatIsNoPathMatchesNothing() {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(EndpointPattern.parse("*"), "all");
    assertEquals(List.of(), index.find(EndpointForm.TEMPLATE, "Search#search"));
    assertEquals(List.of(), index.find(EndpointForm.TEMPLATE, ""));
    assertNotEquals(List.of(), index.find(EndpointForm.TEMPLATE, "/"));
  }

  private static boolean matches(String pattern, String endpoint) {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(EndpointPattern.parse(pattern), pattern);
    return !index.find(EndpointForm.TEMPLATE, endpoint).isEmpty();
  }

  /** Compared segment by segment, without an index. */
  private static boolean matchesAlone(EndpointPattern pattern, String endpoint) {
    List<String> given = EndpointPattern.split(EndpointForm.TEMPLATE, endpoint, Integer.MAX_VALUE);
    List<String> segments = pattern.segments();
    return (pattern.hasRest() ? given.size() >= segments.size() : given.size() == segments.size())
        && IntStream.range(0, segments.size())
            .allMatch(at -> List.of("{}", given.get(at)).contains(segments.get(at)));
  }

  private static EndpointPattern any(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(5); left > 0; left--) {
      text.append('/').append(List.of("a", "b", "c", "{x}").get(random.nextInt(4)));
    }
    return EndpointPattern.parse(random.nextInt(3) == 0 ? text + "/*" : text + "/");
  }

  private static String endpoint(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(6); left > 0; left--) {
      text.append('/').append(List.of("a", "b", "c", "{x}", "d").get(random.nextInt(5)));
    }
    return random.nextBoolean() ? text + "/" : "/" + text.substring(Math.min(1, text.length()));
  }

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @Test
  void aPatternHasNoLineBreaks() {
    for (String each : List.of("/api/\nposts", "/a\r", "/\u2028", "/a\tb")) {
      IllegalArgumentException told =
          assertThrows(IllegalArgumentException.class, () -> EndpointPattern.parse(each));
      assertEquals("must have no line break or other control character", told.getMessage());
    }
  }
}
