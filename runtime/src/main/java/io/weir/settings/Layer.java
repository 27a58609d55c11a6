package io.weir.settings;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

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
  /** Names of settings, misspelled ones too, whose value is nobody's business. */
  private static final Pattern SECRET = Pattern.compile("(?i)secre|passw|credential");

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

  /** Says that a setting of this place breaks a rule. What may be a secret stays out of it. */
  String mistake(String name, String rule) {
    String where = variables ? place + " " + spell(name) : place;
    String value = find(name).orElse("");
    return name + " = '" + (isSecret(name, value) ? "…" : value) + "' (" + where + "): " + rule;
  }

  // An address may hold a password, under whatever name it was written.
  private static boolean isSecret(String name, String value) {
    boolean named = SECRET.matcher(name).find() && !name.startsWith(SettingNames.POLICY);
    return named || value.contains("://") && value.contains("@");
  }

  private String spell(String name) {
    return variables ? SettingNames.variable(name) : name;
  }
}
