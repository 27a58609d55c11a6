package io.weir.internal.application;

import io.weir.InvalidSettingException;
import java.util.function.Supplier;

/**
 * Turns what stores and policy sources throw for a setting into the exception of all other
 * settings, so that a framework can report it in the same way.
 */
final class SettingExceptions {
  private SettingExceptions() {}

  /**
   * Makes a part that settings ask for.
   *
   * @throws InvalidSettingException if that throws an {@link IllegalArgumentException}; with the
   *     same message
   */
  static <T> T convert(Supplier<T> make) {
    try {
      return make.get();
    } catch (InvalidSettingException known) {
      throw known;
    } catch (IllegalArgumentException setting) {
      InvalidSettingException invalid =
          new InvalidSettingException(String.valueOf(setting.getMessage()));
      invalid.initCause(setting);
      throw invalid;
    }
  }
}
