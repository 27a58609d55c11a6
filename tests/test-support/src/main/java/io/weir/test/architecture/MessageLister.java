package io.weir.test.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists the messages in sources: string literals of three words or more, each once. Literals that
 * are concatenated are one message, with {@code …} for a value between them.
 *
 * <p>To list those of a module: {@code java MessageLister.java runtime/src/main/java}, with this
 * file's path. Two lists, of two commits, show by {@code diff} which messages have changed.
 */
public final class MessageLister {
  private static final String LITERAL = "\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"";
  private static final String VALUE = "[^\";{}]{1,200}?";

  /** The next literal of a message: after a plus sign, or after a value between two. */
  private static final Pattern NEXT =
      Pattern.compile("\\s*\\+\\s*(?:" + VALUE + "\\+\\s*)?" + LITERAL);

  private static final Pattern COMMENT =
      Pattern.compile("(" + LITERAL + ")|/\\*[\\s\\S]*?\\*/|//[^\\n]*");

  private static final Pattern PART = Pattern.compile(LITERAL);
  private static final Pattern WORDS =
      Pattern.compile("\\p{L}{2,}[^\\p{L}]+\\p{L}+[^\\p{L}]+\\p{L}+");

  private MessageLister() {}

  /**
   * Finds the messages below a directory.
   *
   * @param sources a directory of Java sources
   * @return in alphabetical order
   * @throws UncheckedIOException if a file can't be read
   */
  public static Set<String> in(Path sources) {
    Set<String> messages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .filter(each -> each.toString().endsWith(".java"))
          .forEach(each -> add(read(each), messages));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return messages;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static void add(String source, Set<String> messages) {
    String code = COMMENT.matcher(source).replaceAll("$1");
    Matcher first = PART.matcher(code);
    Matcher next = NEXT.matcher(code);
    int end = 0;
    while (first.find(end)) {
      end = first.end();
      while (next.region(end, code.length()).lookingAt()) {
        end = next.end();
      }
      String message = join(code.substring(first.start(), end));
      if (WORDS.matcher(message).find()) {
        messages.add(message);
      }
    }
  }

  private static String join(String text) {
    StringBuilder message = new StringBuilder();
    Matcher parts = PART.matcher(text);
    int end = 0;
    while (parts.find()) {
      if (!text.substring(end, parts.start()).replace('+', ' ').isBlank()) {
        message.append('…');
      }
      message.append(text, parts.start() + 1, parts.end() - 1);
      end = parts.end();
    }
    return message.toString();
  }

  /**
   * Prints the messages of some modules, each once.
   *
   * @param sources directories of Java sources
   */
  public static void main(String[] sources) {
    Set<String> messages = new TreeSet<>();
    for (String each : sources) {
      messages.addAll(in(Path.of(each)));
    }
    messages.forEach(System.out::println);
  }
}
