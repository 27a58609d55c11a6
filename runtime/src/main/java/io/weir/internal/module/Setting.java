package io.weir.internal.module;

import io.weir.InvalidSettingException;
import io.weir.spi.ModuleSetting;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads one setting of a module: knows its name, its default, and how its values are written. Made
 * by a {@link SettingList}, which declares it.
 *
 * <p>Immutable.
 */
public final class Setting<T> {
  private final ModuleSetting declared;
  private final Function<String, T> parser;

  Setting(ModuleSetting declared, Function<String, T> parser) {
    this.declared = declared;
    this.parser = parser;
  }

  /** Returns the full name, which begins with {@code weir.}. */
  public String name() {
    return declared.name();
  }

  /** Returns the default as it is written in settings; possibly empty. */
  public String defaultText() {
    return declared.defaultValue();
  }

  /**
   * Reads the value.
   *
   * @param settings returns the value of a setting by its full name. If it isn't set, that is its
   *     default, or the empty string if only its store knows the default
   * @throws IllegalArgumentException if the value is malformed; the message names the setting, the
   *     rule and the value
   */
  public T read(UnaryOperator<String> settings) {
    String text = settings.apply(name());
    try {
      return parser.apply(text);
    } catch (InvalidSettingException complete) {
      throw complete;
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          name() + " " + malformed.getMessage() + ", not '" + text.strip() + "'", malformed);
    }
  }
}
