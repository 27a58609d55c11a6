package io.weir.internal.module;

import io.weir.internal.value.DurationText;
import io.weir.spi.ModuleSetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Collects the settings of one module while its class is initialized: each method declares one
 * setting and returns it.
 *
 * <pre>{@code
 * private static final SettingList ALL = SettingList.ofModule();
 * static final Setting<Integer> CACHE = ALL.number("weir.rocksdb.cache-mb", 32, 1, 65_536);
 * }</pre>
 *
 * <p>Confine to a static initializer; afterwards it is only read.
 */
public final class SettingList {
  private final String prefix;
  private final boolean isOfStore;
  private final List<Setting<?>> settings = new ArrayList<>();
  private final List<ModuleSetting> declarations = new ArrayList<>();

  private SettingList(String prefix, boolean isOfStore) {
    this.prefix = prefix;
    this.isOfStore = isOfStore;
  }

  /**
   * Begins the settings of a module, by their full names. An application checks their values when
   * it starts, and each change of them.
   */
  public static SettingList ofModule() {
    return new SettingList("", false);
  }

  /**
   * Begins the settings of a kind of store, by the part of their names after the kind. An
   * application checks their names only: the store checks their values when it is opened, since
   * another one may be in use.
   */
  public static SettingList ofStore(String kind) {
    return new SettingList("weir.store." + kind + ".", true);
  }

  /** Returns one for each setting, for {@link io.weir.spi.ModuleSettings}. */
  public List<ModuleSetting> declarations() {
    return List.copyOf(declarations);
  }

  List<Setting<?>> settings() {
    return settings;
  }

  private <T> Setting<T> add(ModuleSetting declared, T otherwise, Function<String, T> parser) {
    return add(declared, text -> text.isBlank() ? otherwise : parser.apply(text));
  }

  private <T> Setting<T> add(ModuleSetting declared, Function<String, T> parser) {
    Setting<T> setting = new Setting<>(declared, parser);
    settings.add(setting);
    declarations.add(isOfStore ? ModuleSetting.text(declared.name(), "") : declared);
    return setting;
  }

  /**
   * Declares a text that is empty by default. It is read with the blanks around it, since a
   * password may begin with one, or be nothing else.
   */
  public Setting<String> text(String name) {
    return text(name, "");
  }

  public Setting<String> text(String name, String otherwise) {
    return add(
        ModuleSetting.text(prefix + name, otherwise),
        text -> isOfStore && text.isEmpty() ? otherwise : text);
  }

  /**
   * Declares a setting whose values are written in a way of their own.
   *
   * @param parser reads a value, and the default; throws an {@link IllegalArgumentException} whose
   *     message is the rule that the value breaks, and begins with "must". In a module it reads an
   *     empty value, too, since that may be set on purpose
   */
  public <T> Setting<T> parsed(String name, String otherwise, Function<String, T> parser) {
    ModuleSetting declared = ModuleSetting.text(prefix + name, otherwise);
    return isOfStore ? add(declared, parser.apply(otherwise), parser) : add(declared, parser);
  }

  /**
   * Adds a setting that Weir declares and a store reads in a way of its own.
   *
   * @param parser reads a value, as that of {@link #parsed}
   */
  public <T> Setting<T> ofWeir(String name, String otherwise, Function<String, T> parser) {
    T usual = parser.apply(otherwise);
    Setting<T> setting =
        new Setting<>(
            ModuleSetting.text(name, ""), text -> text.isBlank() ? usual : parser.apply(text));
    settings.add(setting);
    return setting;
  }

  /** Declares a setting that is {@code true} or {@code false}, in any case of letters. */
  public Setting<Boolean> flag(String name, boolean otherwise) {
    return add(ModuleSetting.flag(prefix + name, otherwise), otherwise, SettingList::parseFlag);
  }

  private static boolean parseFlag(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  /** Declares a whole number. Its default may be outside of the range. */
  public Setting<Integer> number(String name, int otherwise, int min, int max) {
    ModuleSetting declared = ModuleSetting.number(prefix + name, otherwise, min, max);
    return add(declared, otherwise, text -> parseNumber(text, min, max));
  }

  private static int parseNumber(String text, int min, int max) {
    String rule = "must be a whole number from " + min + " to " + max;
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException malformed) {
      throw new IllegalArgumentException(rule, malformed);
    }
    throw new IllegalArgumentException(rule);
  }

  /**
   * Declares a duration, as {@link DurationText} has it.
   *
   * @param otherwise the default, in whole milliseconds
   * @param min the least value allowed, in whole milliseconds; a store checks only that it isn't 0
   * @param max the greatest value allowed, in whole milliseconds
   */
  public Setting<Duration> duration(String name, Duration otherwise, Duration min, Duration max) {
    ModuleSetting declared = ModuleSetting.duration(prefix + name, otherwise, min, max);
    return add(declared, otherwise, text -> parseDuration(text, max));
  }

  /**
   * Declares a duration of a store whose default depends on other settings; empty if it isn't set.
   *
   * @param max the greatest value allowed, in whole seconds
   */
  public Setting<Optional<Duration>> optionalDuration(String name, Duration max) {
    return add(
        ModuleSetting.text(prefix + name, ""),
        Optional.empty(),
        text -> Optional.of(parseDuration(text, max)));
  }

  private static Duration parseDuration(String text, Duration max) {
    String rule =
        "must be a duration such as 500ms or 10s (a bare number is seconds), at most "
            + DurationText.inWords(max);
    try {
      Duration length = DurationText.parse(text);
      if (length.compareTo(max) <= 0) {
        return length;
      }
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(rule, malformed);
    }
    throw new IllegalArgumentException(rule);
  }

  /**
   * Declares a setting that is one of several words: the constants of an enum, in any case of
   * letters.
   */
  public <E extends Enum<E>> Setting<E> choice(String name, E otherwise) {
    Class<E> type = otherwise.getDeclaringClass();
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .toList();
    return add(
        ModuleSetting.word(prefix + name, otherwise.name().toLowerCase(Locale.ROOT), words),
        otherwise,
        text -> Enum.valueOf(type, oneOf(words, text).toUpperCase(Locale.ROOT)));
  }

  /**
   * Declares a setting that is one of several words in lower case, in any case of letters; it is
   * read in lower case.
   */
  public Setting<String> word(String name, String otherwise, List<String> words) {
    return add(
        ModuleSetting.word(prefix + name, otherwise, words), otherwise, text -> oneOf(words, text));
  }

  private static String oneOf(List<String> words, String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (!words.contains(word)) {
      throw new IllegalArgumentException("must be " + String.join(" or ", words));
    }
    return word;
  }
}
