package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.value.VariableNames;
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
import java.util.stream.Stream;

/**
 * Holds all settings of one moment, from all places.
 *
 * <p>Immutable. Safe for concurrent use.
 */
public final class SettingsSnapshot {
  private final List<SettingsLayer> layers;
  private final List<String> warnings;
  private final DeclaredModuleSettings declared;

  /** Caches the answers of {@link #value}, since modules ask with each request. */
  private final Map<String, String> values = new ConcurrentHashMap<>();

  /**
   * Takes the layers, the strongest first, and validates all names and values.
   *
   * @param warnings oddities that aren't mistakes
   */
  SettingsSnapshot(
      List<SettingsLayer> layers, List<String> warnings, DeclaredModuleSettings declared) {
    this.layers = List.copyOf(layers);
    this.warnings = List.copyOf(warnings);
    this.declared = declared;
    SettingsCheck.require(this.layers, declared);
  }

  /**
   * Makes settings from given values.
   *
   * @throws InvalidSettingException if a name is unknown or a value malformed
   */
  public static SettingsSnapshot of(Map<String, String> values) {
    return new SettingsSnapshot(
        List.of(SettingsLayer.of("given", values)), List.of(), DeclaredModuleSettings.NONE);
  }

  /**
   * Finds the value of a setting.
   *
   * @param name one of {@link SettingNames}
   * @return the value without blanks around it, possibly empty; nothing if it isn't set
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
   * @param prefix the beginning of the setting's name; the member follows
   * @return the value; empty if it isn't set
   * @throws InvalidSettingException if the value is malformed
   */
  public <T> Optional<T> find(String prefix, PolicyMember<T> member) {
    return find(prefix + member.setting(), member.syntax());
  }

  <T> Optional<T> find(String name, ValueSyntax<T> syntax) {
    return find(name).map(value -> parse(name, value, syntax));
  }

  /**
   * Returns the value of a setting for a module.
   *
   * @param name one that a module declares, or one of {@link SettingNames}
   * @return the value; if it isn't set, its default or the one that the module declares, else the
   *     empty string
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
   * Returns whether any setting under a prefix is set, which saves asking for each.
   *
   * @param prefix the beginning of the names, up to a dot
   * @return false only if {@link #find(String)} finds none of them; true may be wrong
   */
  public boolean anyUnder(String prefix) {
    for (SettingsLayer each : layers) {
      if (each.anyUnder(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of a setting, or a default if it isn't set. */
  public String text(String name, String otherwise) {
    return find(name).orElse(otherwise);
  }

  /**
   * Returns the value of a setting as a number, or a default if it isn't set.
   *
   * @throws InvalidSettingException if it isn't a whole number, or is out of range
   */
  public long number(String name, long otherwise, long min, long max) {
    return find(name, ValueSyntax.number(min, max)).orElse(otherwise);
  }

  /**
   * Returns the value of a setting as a flag, or a default if it isn't set.
   *
   * @throws InvalidSettingException if it is neither {@code true} nor {@code false}
   */
  public boolean flag(String name, boolean otherwise) {
    return find(name, ValueSyntax.flag()).orElse(otherwise);
  }

  /**
   * Returns the value of a setting as a duration, or a default if it isn't set.
   *
   * @return a positive duration of at most 36,600 days
   * @throws InvalidSettingException if it isn't written as {@code 500ms}, {@code 10s}, {@code 1m},
   *     {@code 2h}, {@code 1d}, {@code PT10S} or a bare number of seconds
   */
  public Duration duration(String name, Duration otherwise) {
    return find(name, ValueSyntax.duration()).orElse(otherwise);
  }

  /**
   * Returns the value of a setting as one of several words, or a default if it isn't set. The words
   * are the constants of an enum in any case, with {@code -} for {@code _}.
   *
   * @throws InvalidSettingException if it is none of the words
   */
  public <E extends Enum<E>> E choice(String name, E otherwise) {
    return find(name, ValueSyntax.choice(otherwise.getDeclaringClass())).orElse(otherwise);
  }

  /**
   * Returns the comma-separated values of a setting without blanks around them; none if it isn't
   * set.
   */
  public List<String> list(String name) {
    return find(name, ValueSyntax.list(ValueSyntax.text())).orElse(List.of());
  }

  /**
   * Returns all settings under the names that were given, in the order of names. Environment
   * variables are found by {@link #find(String)} only, since the name can't be determined from
   * their spelling.
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
   * Returns the names of the regions whose stores have settings, in order. A variable may leave out
   * the hyphens of a region that another setting names.
   */
  public Set<String> regions() {
    Set<String> named = new TreeSet<>();
    Set<String> all = new TreeSet<>();
    for (SettingsLayer each : layers) {
      Set<String> regions = each.regions();
      all.addAll(regions);
      if (!each.variables()) {
        named.addAll(regions);
      }
    }
    Set<String> withoutHyphens = new TreeSet<>();
    all.stream()
        .filter(each -> each.indexOf('-') >= 0)
        .forEach(each -> withoutHyphens.add(each.replace("-", "")));
    all.removeIf(each -> withoutHyphens.contains(each) && !named.contains(each));
    return all;
  }

  /**
   * Returns a line for each environment variable that belongs to no setting, with the nearest that
   * does.
   *
   * @param start the prefix of the variables to check
   * @param names further settings that are known; asked for only if there are such variables
   */
  public List<String> unknownVariables(String start, Supplier<Collection<String>> names) {
    List<String> variables = variables(start);
    if (variables.isEmpty()) {
      return List.of();
    }
    Set<String> known = new TreeSet<>();
    Set<String> withoutHyphens = new TreeSet<>();
    Stream<String> ofRegions =
        regions().stream()
            .flatMap(region -> SettingNames.ofRegion(region, declared.names()).stream());
    Stream.concat(
            Stream.of(SettingNames.fixed(), declared.names(), names.get())
                .flatMap(Collection::stream),
            ofRegions)
        .forEach(
            name -> {
              known.add(VariableNames.of(name));
              withoutHyphens.add(VariableNames.withoutHyphens(name));
            });
    return variables.stream()
        .distinct()
        .filter(variable -> !known.contains(variable) && !withoutHyphens.contains(variable))
        .filter(variable -> !declared.isOfUncheckedStore(variable))
        .map(
            variable ->
                "environment variable "
                    + variable
                    + ": unknown setting"
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
   * Makes the error for a setting whose value can't be used, with the place that it comes from.
   *
   * @param rule what the value must be
   */
  public InvalidSettingException invalid(String name, String rule) {
    return new InvalidSettingException(
        layer(name)
            .map(each -> each.mistake(name, rule))
            .orElseGet(() -> name + " (not set): " + rule));
  }

  /**
   * Returns oddities, except unknown variables of policies: only the catalog knows which policies
   * exist.
   */
  List<String> warnings() {
    String policies = "environment variable " + VariableNames.of(SettingNames.POLICY);
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
    return other instanceof SettingsSnapshot that && layers.equals(that.layers);
  }

  @Override
  public int hashCode() {
    return layers.hashCode();
  }
}
