package io.weir.spi;

import java.time.Duration;
import java.util.List;

/**
 * One setting of a module: its name, its allowed values and its default.
 *
 * <p>Immutable.
 */
public final class ModuleSetting {
  /** The types of values. */
  public enum Kind {
    /** Any text. */
    TEXT,
    /** {@code true} or {@code false}. */
    FLAG,
    /** A whole number between {@link #min()} and {@link #max()}. */
    NUMBER,
    /**
     * A length of time such as {@code 500ms}, {@code 10s}, {@code 1m}, {@code 2h}, {@code 1d} or
     * {@code PT10S}, between {@link #min()} and {@link #max()} milliseconds.
     */
    DURATION,
    /** One of {@link #words()}. */
    WORD
  }

  private static final String PREFIX = "weir.";

  private final String name;
  private final Kind kind;
  private final String otherwise;
  private final long min;
  private final long max;
  private final List<String> words;

  private ModuleSetting(
      String name, Kind kind, String otherwise, long min, long max, List<String> words) {
    if (!name.startsWith(PREFIX) || name.length() == PREFIX.length()) {
      throw new IllegalArgumentException(
          "the name of a setting must begin with weir., not " + name);
    }
    this.name = name;
    this.kind = kind;
    this.otherwise = otherwise;
    this.min = min;
    this.max = max;
    this.words = words;
  }

  /**
   * Declares a setting that is any text.
   *
   * @param name the full name, beginning with {@code weir.}
   * @param otherwise the default, possibly empty
   * @return the setting
   * @throws IllegalArgumentException if the name doesn't begin with {@code weir.}
   */
  public static ModuleSetting text(String name, String otherwise) {
    return new ModuleSetting(name, Kind.TEXT, otherwise, 0, 0, List.of());
  }

  /**
   * Declares a setting that is {@code true} or {@code false}.
   *
   * @param name the full name, beginning with {@code weir.}
   * @param otherwise the default
   * @return the setting
   * @throws IllegalArgumentException if the name doesn't begin with {@code weir.}
   */
  public static ModuleSetting flag(String name, boolean otherwise) {
    return new ModuleSetting(name, Kind.FLAG, Boolean.toString(otherwise), 0, 0, List.of());
  }

  /**
   * Declares a setting that is a whole number.
   *
   * @param name the full name, beginning with {@code weir.}
   * @param otherwise the default
   * @param min the least value allowed
   * @param max the greatest value allowed
   * @return the setting
   * @throws IllegalArgumentException if the name doesn't begin with {@code weir.}
   */
  public static ModuleSetting number(String name, long otherwise, long min, long max) {
    return new ModuleSetting(name, Kind.NUMBER, Long.toString(otherwise), min, max, List.of());
  }

  /**
   * Declares a setting that is a length of time.
   *
   * @param name the full name, beginning with {@code weir.}
   * @param otherwise the default, in whole milliseconds
   * @param min the least value allowed, in whole milliseconds
   * @param max the greatest value allowed, in whole milliseconds
   * @return the setting
   * @throws IllegalArgumentException if the name doesn't begin with {@code weir.}
   */
  public static ModuleSetting duration(
      String name, Duration otherwise, Duration min, Duration max) {
    String text = otherwise.toMillis() + "ms";
    return new ModuleSetting(name, Kind.DURATION, text, min.toMillis(), max.toMillis(), List.of());
  }

  /**
   * Declares a setting that is one of several words.
   *
   * @param name the full name, beginning with {@code weir.}
   * @param otherwise the default
   * @param words all words that are allowed, in lower case
   * @return the setting
   * @throws IllegalArgumentException if the name doesn't begin with {@code weir.}
   */
  public static ModuleSetting word(String name, String otherwise, List<String> words) {
    return new ModuleSetting(name, Kind.WORD, otherwise, 0, 0, List.copyOf(words));
  }

  /**
   * Returns the full name.
   *
   * @return a name that begins with {@code weir.}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the type of its values.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the default.
   *
   * @return a value as text, possibly empty
   */
  public String defaultValue() {
    return otherwise;
  }

  /**
   * Returns the least value allowed.
   *
   * @return a number, or milliseconds; 0 for other kinds
   */
  public long min() {
    return min;
  }

  /**
   * Returns the greatest value allowed.
   *
   * @return a number, or milliseconds; 0 for other kinds
   */
  public long max() {
    return max;
  }

  /**
   * Returns the allowed words.
   *
   * @return the words; none for kinds other than {@link Kind#WORD}
   */
  public List<String> words() {
    return words;
  }
}
