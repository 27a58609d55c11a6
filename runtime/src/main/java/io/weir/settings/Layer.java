package io.weir.settings;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of one place: names as that place spells them, and their values, trimmed.
 *
 * <p>Immutable.
 *
 * @param place where they come from, for messages
 * @param values by name
 * @param variables whether the names are those of environment variables
 */
record Layer(String place, Map<String, String> values, boolean variables) {
  Layer {
    Map<String, String> trimmed = new TreeMap<>();
    values.forEach((name, value) -> trimmed.put(name.trim(), value.trim()));
    values = Collections.unmodifiableMap(trimmed);
  }

  static Layer of(String place, Map<String, String> values) {
    return new Layer(place, values, false);
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(values.get(spell(name)));
  }

  /** Says that a setting of this place breaks a rule. */
  String mistake(String name, String rule) {
    String where = variables ? place + " " + spell(name) : place;
    return name + " = '" + find(name).orElse("") + "' (" + where + "): " + rule;
  }

  private String spell(String name) {
    return variables ? SettingNames.variable(name) : name;
  }
}
