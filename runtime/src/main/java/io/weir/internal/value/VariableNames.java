package io.weir.internal.value;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Spells the names of settings as those of environment variables. Stateless. */
public final class VariableNames {
  private VariableNames() {}

  /** Turns {@code weir.store-timeout} into {@code WEIR_STORE_TIMEOUT}. */
  public static String of(String setting) {
    StringBuilder variable = new StringBuilder(setting.toUpperCase(Locale.ROOT));
    for (int at = 0; at < variable.length(); at++) {
      char letter = variable.charAt(at);
      if ((letter < 'A' || letter > 'Z') && (letter < '0' || letter > '9')) {
        variable.setCharAt(at, '_');
      }
    }
    return variable.toString();
  }

  /**
   * Returns the other name of the environment variable of a setting, as frameworks spell it:
   * without the hyphens of the setting.
   */
  public static String withoutHyphens(String setting) {
    return of(setting.replace("-", ""));
  }

  /** Finds the value of a setting among environment variables, by either name. */
  public static Optional<String> find(String setting, Map<String, String> variables) {
    return variables.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(variables.get(of(setting)))
            .or(() -> Optional.ofNullable(variables.get(withoutHyphens(setting))));
  }
}
