package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One word for one idea: the synonyms that ARCHITECTURE rules out don't come back. */
class VocabularyTest {
  private static final Path MAIN = Path.of("src", "main", "java");

  /** Each excluded word, whole or as a part of a name, and the word to use. */
  private static final Map<String, String> GONE =
      Map.of(
          "unspend", "refund or giveBack",
          "putBack", "refund or giveBack",
          "overdraft", "overshoot",
          "loan", "borrowed",
          "lane", "partition or channel",
          "settle", "execute",
          "settles", "executes",
          "wish", "request");

  @Test
  void usesNoSynonymThatWasGivenUp() throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      GONE.forEach(
          (word, instead) -> {
            Matcher matcher = pattern(word).matcher(text);
            if (matcher.find()) {
              found.add(MAIN.relativize(source) + ": " + matcher.group() + ", say " + instead);
            }
          });
    }
    assertEquals(Set.of(), found);
  }

  @Test
  void findsAWordInANameAndInASentence() {
    assertTrue(pattern("lane").matcher("int laneOf(").find());
    assertTrue(pattern("lane").matcher("the way to one lane.").find());
    assertTrue(!pattern("lane").matcher("planes").find());
  }

  /** Matches the word in a sentence, or as a whole part of a camel-case name. */
  private static Pattern pattern(String word) {
    String capital = Character.toUpperCase(word.charAt(0)) + word.substring(1);
    return Pattern.compile(
        "(?<![A-Za-z])"
            + word
            + "(?![a-z])|(?<=[a-z])"
            + capital
            + "(?![a-z])|\\b"
            + capital
            + "(?![a-z])");
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.walk(MAIN)) {
      return all.filter(path -> path.toString().endsWith(".java")).toList();
    }
  }
}
