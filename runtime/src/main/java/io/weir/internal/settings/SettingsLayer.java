package io.weir.internal.settings;

import io.weir.internal.value.VariableNames;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Holds the settings of one place: names as that place spells them, and trimmed values.
 *
 * <p>Immutable.
 *
 * @param place where they come from, for messages
 * @param variables whether the names are those of environment variables
 */
record SettingsLayer(String place, NavigableMap<String, String> values, boolean variables) {
  /** Matches names of settings, even misspelled ones, whose value may be a secret. */
  private static final Pattern SECRET = Pattern.compile("(?i)secre|passw|credential");

  static SettingsLayer of(String place, Map<String, String> values) {
    return new SettingsLayer(place, trimmed(values), false);
  }

  static SettingsLayer ofVariables(String place, Map<String, String> values) {
    return new SettingsLayer(place, trimmed(values), true);
  }

  private static NavigableMap<String, String> trimmed(Map<String, String> values) {
    NavigableMap<String, String> trimmed = new TreeMap<>();
    values.forEach((name, value) -> trimmed.put(name.trim(), value.trim()));
    return Collections.unmodifiableNavigableMap(trimmed);
  }

  Optional<String> find(String name) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String value = values.get(spell(name));
    return value == null && variables && name.indexOf('-') >= 0
        ? Optional.ofNullable(values.get(VariableNames.withoutHyphens(name)))
        : Optional.ofNullable(value);
  }

  /** Returns the regions whose stores have settings here. */
  Set<String> regions() {
    Set<String> regions = new TreeSet<>();
    for (String name : values.keySet()) {
      (variables ? SettingNames.regionOfVariable(name) : SettingNames.regionOf(name))
          .ifPresent(regions::add);
    }
    return regions;
  }

  boolean anyUnder(String prefix) {
    if (values.isEmpty()) {
      return false;
    }
    return anyBeginsWith(spell(prefix))
        || variables && anyBeginsWith(VariableNames.withoutHyphens(prefix));
  }

  private boolean anyBeginsWith(String start) {
    String next = values.ceilingKey(start);
    return next != null && next.startsWith(start);
  }

  /** Writes the message for a setting that breaks a rule, without possible secrets. */
  String mistake(String name, String rule) {
    String where = variables ? place + " " + spell(name) : place;
    String value = find(name).orElse("");
    return name + " = '" + (isSecret(name, value) ? "…" : value) + "' (" + where + "): " + rule;
  }

  // An address may contain a password, even under a misspelled name; an access list a key.
  private static boolean isSecret(String name, String value) {
    boolean named = SECRET.matcher(name).find() && !name.startsWith(SettingNames.POLICY);
    boolean hasKey = name.startsWith("weir.access.") && value.contains("key:");
    return named
        || hasKey
        || SECRET.matcher(value).find()
        || value.contains("://") && value.contains("@");
  }

  private String spell(String name) {
    return variables ? VariableNames.of(name) : name;
  }
}
