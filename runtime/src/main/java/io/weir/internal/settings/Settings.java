package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * All settings of one moment, from all places.
 *
 * <p>Immutable to whoever uses it. Safe for concurrent use.
 */
public final class Settings {
  private final List<SettingsLayer> layers;
  private final List<String> warnings;
  private final DeclaredSettings declared;

  /** What {@link #value} has found, since modules ask with each request. */
  private final Map<String, String> values = new ConcurrentHashMap<>();

  /**
   * Takes the layers, the strongest first, and checks all names and values.
   *
   * @param warnings what is odd about them but no mistake
   * @param declared the settings of modules
   */
  Settings(List<SettingsLayer> layers, List<String> warnings, DeclaredSettings declared) {
    this.layers = List.copyOf(layers);
    this.warnings = List.copyOf(warnings);
    this.declared = declared;
    SettingsCheck.require(this.layers, declared);
  }

  /**
   * Settings given by hand.
   *
   * @param values by name
   * @return the settings
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static Settings of(Map<String, String> values) {
    return new Settings(
        List.of(SettingsLayer.of("given", values)), List.of(), DeclaredSettings.NONE);
  }

  /**
   * The value of a setting.
   *
   * @param name one of {@link SettingNames}
   * @return the value without blanks around it, perhaps empty; nothing if it isn't set
   */
  public Optional<String> find(String name) {
    for (SettingsLayer each : layers) {
      Optional<String> found = each.find(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * Finds the value of a member of a policy.
   *
   * @param <T> the type of its values
   * @param prefix the beginning of the setting's name; the member follows
   * @param member the member
   * @return the value; empty if it isn't set
   * @throws InvalidSettingException if the value is malformed
   */
  public <T> Optional<T> find(String prefix, PolicyMember<T> member) {
    return find(prefix + member.setting(), member.syntax());
  }

  /** Finds the value of a setting in a given syntax. */
  <T> Optional<T> find(String name, ValueSyntax<T> syntax) {
    return find(name).map(value -> parse(name, value, syntax));
  }

  /**
   * The value of a setting for a module.
   *
   * @param name one that a module declares, or one of {@link SettingNames}
   * @return the value; if it isn't set, its default or the one that the module declares, else an
   *     empty text
   */
  public String value(String name) {
    String known = values.get(name);
    if (known == null) {
      known =
          find(name)
              .or(() -> defaultCost(name).map(String::valueOf))
              .orElseGet(() -> declared.defaultOf(name));
      values.put(name, known);
    }
    return known;
  }

  private Optional<Long> defaultCost(String name) {
    return name.startsWith(SettingNames.COST) && flag(SettingNames.COST_DEFAULTS, false)
        ? Optional.ofNullable(
            SettingNames.DEFAULT_COSTS.get(name.substring(SettingNames.COST.length())))
        : Optional.empty();
  }

  /**
   * Whether anything at all is set under names that begin alike, so that nobody need ask for each.
   *
   * @param prefix what the names begin with, to a dot
   * @return true if perhaps; false only if {@link #find(String)} finds none of them
   */
  public boolean anyUnder(String prefix) {
    for (SettingsLayer each : layers) {
      if (each.anyUnder(prefix)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The value of a setting as text.
   *
   * @param name one of {@link SettingNames}
   * @param otherwise what holds if it isn't set
   * @return the value
   */
  public String text(String name, String otherwise) {
    return find(name).orElse(otherwise);
  }

  /**
   * The value of a setting as a number.
   *
   * @param name one of {@link SettingNames}
   * @param otherwise what holds if it isn't set
   * @param min the least allowed
   * @param max the most allowed
   * @return the value
   * @throws InvalidSettingException if it is no whole number, or out of range
   */
  public long number(String name, long otherwise, long min, long max) {
    return find(name, ValueSyntax.number(min, max)).orElse(otherwise);
  }

  /**
   * The value of a setting as a flag.
   *
   * @param name one of {@link SettingNames}
   * @param otherwise what holds if it isn't set
   * @return the value
   * @throws InvalidSettingException if it is neither {@code true} nor {@code false}
   */
  public boolean flag(String name, boolean otherwise) {
    return find(name).map(value -> parse(name, value, ValueSyntax.flag())).orElse(otherwise);
  }

  /**
   * The value of a setting as a length of time.
   *
   * @param name one of {@link SettingNames}
   * @param otherwise what holds if it isn't set
   * @return the value, positive and at most 36,600 days
   * @throws InvalidSettingException if it isn't written as {@code 500ms}, {@code 10s}, {@code 1m},
   *     {@code 2h}, {@code 1d}, {@code PT10S} or a bare number of seconds
   */
  public Duration duration(String name, Duration otherwise) {
    return find(name, ValueSyntax.duration()).orElse(otherwise);
  }

  /**
   * The value of a setting as one of several words: the constants of an enum in any case, {@code -}
   * for {@code _}.
   *
   * @param <E> the enum
   * @param name one of {@link SettingNames}
   * @param otherwise what holds if it isn't set
   * @return the value
   * @throws InvalidSettingException if it is none of the words
   */
  public <E extends Enum<E>> E choice(String name, E otherwise) {
    return find(name, ValueSyntax.choice(otherwise.getDeclaringClass())).orElse(otherwise);
  }

  /**
   * The values of a setting that holds several, between commas.
   *
   * @param name one of {@link SettingNames}
   * @return the values without blanks around them; none if it isn't set or empty
   */
  public List<String> list(String name) {
    return find(name, ValueSyntax.list(ValueSyntax.text())).orElse(List.of());
  }

  /**
   * All settings under the names that were given. Environment variables are found by {@link
   * #find(String)} only, since their spelling doesn't tell the name.
   *
   * @return value by name, in the order of names
   */
  public Map<String, String> all() {
    SortedMap<String, String> all = new TreeMap<>();
    layers.stream()
        .filter(layer -> !layer.variables())
        .flatMap(layer -> layer.values().entrySet().stream())
        .forEach(entry -> all.putIfAbsent(entry.getKey(), entry.getValue()));
    return Collections.unmodifiableMap(all);
  }

  /**
   * Environment variables that belong to no setting.
   *
   * @param start what the variables begin with that matter
   * @param names settings that are known beside those of {@link SettingNames} that are whole; asked
   *     for only if there are such variables
   * @return a line for each, with the nearest that is known
   */
  public List<String> unknownVariables(String start, Supplier<Collection<String>> names) {
    List<String> variables = variables(start);
    if (variables.isEmpty()) {
      return List.of();
    }
    Set<String> known = new TreeSet<>();
    SettingNames.whole().forEach(name -> known.add(SettingNames.variable(name)));
    declared.names().forEach(name -> known.add(SettingNames.variable(name)));
    names.get().forEach(name -> known.add(SettingNames.variable(name)));
    return variables.stream()
        .filter(variable -> !known.contains(variable))
        .filter(variable -> !SettingNames.isOfStore(variable))
        .map(
            variable ->
                "environment variable "
                    + variable
                    + ": no setting is spelled like this"
                    + NearestWord.hint(variable, known))
        .toList();
  }

  private List<String> variables(String start) {
    return layers.stream()
        .filter(SettingsLayer::variables)
        .flatMap(layer -> layer.values().keySet().stream())
        .filter(variable -> variable.startsWith(start))
        .toList();
  }

  /**
   * Says that a setting's value can't be used, with the place it came from.
   *
   * @param name a setting that is set
   * @param rule what it must be
   * @return the exception to throw
   */
  public InvalidSettingException invalid(String name, String rule) {
    return new InvalidSettingException(
        layer(name)
            .map(each -> each.mistake(name, rule))
            .orElseGet(() -> name + " (not set): " + rule));
  }

  /**
   * What is odd about them, except variables of policies: only the catalog knows which policies
   * exist.
   */
  List<String> warnings() {
    String policies = "environment variable " + SettingNames.variable(SettingNames.POLICY);
    List<String> all = new ArrayList<>(warnings);
    unknownVariables("WEIR_", List::of).stream()
        .filter(line -> !line.startsWith(policies))
        .forEach(all::add);
    return all;
  }

  private <T> T parse(String name, String value, ValueSyntax<T> syntax) {
    try {
      return syntax.parse(value);
    } catch (IllegalArgumentException malformed) {
      throw invalid(name, String.valueOf(malformed.getMessage()));
    }
  }

  private Optional<SettingsLayer> layer(String name) {
    return layers.stream().filter(each -> each.find(name).isPresent()).findFirst();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings that && layers.equals(that.layers);
  }

  @Override
  public int hashCode() {
    return layers.hashCode();
  }
}
