package io.weir.micronaut;

import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.exceptions.ConfigurationException;
import io.weir.internal.value.ServiceVariables;
import io.weir.internal.value.VariableNames;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads all settings of Weir from an {@link Environment}, by their names as they are written.
 *
 * <p>Names aren't bound to fields, since they contain the names of policies and tiers, which
 * Micronaut's own spelling would change. A list becomes one value with commas.
 *
 * <p>Safe for concurrent use.
 */
final class EnvironmentSettings implements Supplier<Map<String, String>> {
  private static final String OURS = "weir.";
  private static final String VARIABLE = "WEIR_";
  private static final Pattern ITEM = Pattern.compile("(.*)\\[(\\d{1,6})]");

  private final Environment environment;

  EnvironmentSettings(Environment environment) {
    this.environment = environment;
  }

  /**
   * Reads all sources. Where there are rules, {@code micronaut.application.name} is their
   * application unless they name one.
   *
   * @return the values in force, by names that begin with {@code weir.}; those of environment
   *     variables without such a name, by names that begin with {@code WEIR_}
   * @throws IllegalArgumentException if a placeholder has no value
   */
  @Override
  public Map<String, String> get() {
    Map<String, String> all = new TreeMap<>();
    Map<String, String> variables = new TreeMap<>();
    for (PropertySource source : sources()) {
      read(source)
          .forEach(
              (name, value) ->
                  all.putIfAbsent(name, VariableNames.find(name, variables).orElse(value)));
      for (String name : source) {
        if (name.startsWith(VARIABLE)
            && !ServiceVariables.isOne(name, String.valueOf(source.get(name)))) {
          variables.putIfAbsent(name, text(name, source.get(name)));
        }
      }
    }
    variables.forEach(all::putIfAbsent);
    addApplication(all);
    return all;
  }

  /** Returns the sources, that which overrides all others first. */
  private List<PropertySource> sources() {
    return environment.getPropertySources().stream()
        .sorted(Comparator.comparingInt(PropertySource::getOrder).reversed())
        .toList();
  }

  /** Names the application of the rules, unless they name it. */
  private void addApplication(Map<String, String> all) {
    String rules = all.getOrDefault("weir.rules", all.getOrDefault("WEIR_RULES", ""));
    String name = environment.getProperty("micronaut.application.name", String.class).orElse("");
    if (!rules.isBlank() && !name.isBlank() && !all.containsKey("WEIR_RULES_APPLICATION")) {
      all.putIfAbsent("weir.rules.application", name);
    }
  }

  /** Reads the settings of one source, with lists put together. */
  private Map<String, String> read(PropertySource source) {
    Map<String, String> found = new TreeMap<>();
    Map<String, SortedMap<Integer, String>> lists = new TreeMap<>();
    for (String name : source) {
      if (!name.startsWith(OURS)) {
        continue;
      }
      String value = text(name, source.get(name));
      Matcher item = ITEM.matcher(name);
      if (item.matches()) {
        lists
            .computeIfAbsent(item.group(1), each -> new TreeMap<>())
            .put(Integer.valueOf(item.group(2)), value);
      } else {
        found.put(name, value);
      }
    }
    lists.forEach((name, items) -> found.putIfAbsent(name, String.join(",", items.values())));
    return found;
  }

  private String text(String name, @Nullable Object value) {
    if (value instanceof Collection<?> several) {
      return joined(name, several.stream());
    }
    if (value instanceof Object[] several) {
      return joined(name, Arrays.stream(several));
    }
    try {
      return value == null
          ? ""
          : environment.getPlaceholderResolver().resolveRequiredPlaceholders(value.toString());
    } catch (ConfigurationException unresolved) { // its message may have the value, a secret
      throw new IllegalArgumentException(name + ": a placeholder can't be resolved");
    }
  }

  private String joined(String name, Stream<?> values) {
    return values.map(each -> text(name, each)).collect(Collectors.joining(","));
  }
}
