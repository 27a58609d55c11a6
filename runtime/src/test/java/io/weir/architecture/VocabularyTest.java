package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.architecture.MessageLister;
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

/**
 * One word for one idea: the synonyms that ARCHITECTURE rules out don't come back, nor do words in
 * messages over which their readers stumble.
 */
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

  /** The folders of modules whose messages callers, operators and SQL users see. */
  private static final List<String> MODULES =
      List.of(
          "annotations",
          "runtime",
          "rules",
          "control",
          "server",
          "testkit",
          "stores/cassandra",
          "stores/postgres",
          "stores/rocksdb",
          "integrations/cdi",
          "integrations/grpc",
          "integrations/micronaut",
          "integrations/quarkus/deployment",
          "integrations/quarkus/runtime",
          "integrations/spring/core",
          "integrations/spring/boot3",
          "integrations/spring/boot4");

  /** Words that readers of messages stumble on, and those to use. */
  private static final Map<String, String> STUMBLES =
      Map.ofEntries(
          Map.entry("whatever", "any, or even if"),
          Map.entry("whoever", "a caller that"),
          Map.entry("so many", "the number"),
          Map.entry("however long", "even after"),
          Map.entry("as (?:it is|they are)", "unchanged"),
          Map.entry("(?:is|are|stays?) in force", "applies, or still applies"),
          Map.entry("anew", "again"),
          Map.entry("(?:is|are) gone", "no longer exists"),
          Map.entry("(?:is|were|are) away", "can't be reached"),
          Map.entry("hear of", "learn of"),
          Map.entry("^(?:What|Who|Whom|Which|How) .*[^?]$", "the noun itself"));

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
  void messagesHaveNoWordsOverWhichReadersStumble() {
    Set<String> found = new TreeSet<>();
    for (String module : MODULES) {
      for (String message : MessageLister.in(Path.of("..").resolve(module).resolve(MAIN))) {
        STUMBLES.forEach(
            (words, instead) -> {
              if (stumble(words).matcher(message).find()) {
                found.add(module + ": " + message + ", say " + instead);
              }
            });
      }
    }
    assertEquals(Set.of(), found);
  }

  @Test
  void findsAWordInANameAndInASentence() {
    assertTrue(pattern("lane").matcher("int laneOf(").find());
    assertTrue(pattern("lane").matcher("the way to one lane.").find());
    assertTrue(!pattern("lane").matcher("planes").find());
  }

  private static Pattern stumble(String words) {
    return Pattern.compile(words.startsWith("^") ? words : "\\b(?:" + words + ")\\b");
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
