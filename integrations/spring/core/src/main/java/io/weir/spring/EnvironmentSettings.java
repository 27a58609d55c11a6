package io.weir.spring;

import io.weir.internal.value.ServiceVariables;
import io.weir.internal.value.VariableNames;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Reads all settings of Weir from an {@link Environment}, by their names as they are written.
 *
 * <p>Names aren't bound to fields, since they contain the names of policies and tiers. Of an
 * element in brackets the brackets are dropped, as in {@code weir.policy[search.v2].limit}, and a
 * list becomes one value with commas. Sources that can't list their names, such as JNDI, aren't
 * read.
 *
 * <p>Safe for concurrent use.
 */
final class EnvironmentSettings implements Supplier<Map<String, String>> {
  private static final String VARIABLE = "WEIR_";
  private static final Pattern ITEM = Pattern.compile("(.*)\\[(\\d+)]");
  private static final Pattern BRACKETS = Pattern.compile("\\.?\\[([^]]*)]");

  private final Environment environment;

  EnvironmentSettings(Environment environment) {
    this.environment = environment;
  }

  /**
   * Reads all sources. Where there are rules, {@code spring.application.name} is their application
   * unless they name one.
   *
   * @return the values in force, by names that begin with {@code weir.}; those of environment
   *     variables without such a name, by names that begin with {@code WEIR_}
   * @throws IllegalArgumentException if a placeholder has no value
   */
  @Override
  public Map<String, String> get() {
    Map<String, String> all = new TreeMap<>();
    Map<String, String> variables = new TreeMap<>();
    for (EnumerablePropertySource<?> source : sources()) {
      read(source)
          .forEach(
              (name, value) ->
                  all.putIfAbsent(name, VariableNames.find(name, variables).orElse(value.text())));
      if (source instanceof SystemEnvironmentPropertySource) {
        addVariables(source, variables);
      }
    }
    variables.forEach(all::putIfAbsent);
    addApplication(all);
    return all;
  }

  /** Names the application of the rules, unless they name it. */
  private void addApplication(Map<String, String> all) {
    String rules = all.getOrDefault("weir.rules", all.getOrDefault("WEIR_RULES", ""));
    String name = environment.getProperty("spring.application.name", "");
    if (!rules.isBlank() && !name.isBlank() && !all.containsKey("WEIR_RULES_APPLICATION")) {
      all.putIfAbsent("weir.rules.application", name);
    }
  }

  /**
   * Finds the place of a setting's value, such as a line of a file; empty if the environment
   * doesn't have it under this name.
   */
  Optional<String> origin(String name) {
    Map<String, String> variables = new TreeMap<>();
    for (EnumerablePropertySource<?> source : sources()) {
      Written written = read(source).get(name);
      if (written != null && VariableNames.find(name, variables).isEmpty()) {
        Object origin = OriginLookup.getOrigin(source, written.name());
        return Optional.of(origin == null ? source.getName() : origin.toString());
      }
      if (source instanceof SystemEnvironmentPropertySource) {
        addVariables(source, variables);
      }
    }
    return Optional.empty();
  }

  private Iterable<EnumerablePropertySource<?>> sources() {
    if (!(environment instanceof ConfigurableEnvironment configurable)) {
      return List.of();
    }
    return enumerable(configurable.getPropertySources().stream()).toList();
  }

  /** Takes composite sources apart: they fail to list names if one of their sources can't. */
  private static Stream<EnumerablePropertySource<?>> enumerable(Stream<PropertySource<?>> sources) {
    return sources.flatMap(
        source -> {
          if (source.getClass() == CompositePropertySource.class) { // others may decrypt
            return enumerable(((CompositePropertySource) source).getPropertySources().stream());
          }
          return source instanceof EnumerablePropertySource<?> one
              ? Stream.of(one)
              : Stream.empty();
        });
  }

  /** Reads the settings of one source, with lists put together. */
  private SortedMap<String, Written> read(EnumerablePropertySource<?> source) {
    SortedMap<String, Written> found = new TreeMap<>();
    Map<String, SortedMap<Integer, Written>> lists = new TreeMap<>();
    for (String written : source.getPropertyNames()) {
      if (!isOurs(written)) {
        continue;
      }
      Written value = new Written(written, text(source, written));
      Matcher item = ITEM.matcher(written);
      if (item.matches() && item.group(2).length() < 7) {
        lists
            .computeIfAbsent(plain(item.group(1)), each -> new TreeMap<>())
            .put(Integer.valueOf(item.group(2)), value);
      } else {
        found.put(plain(written), value);
      }
    }
    lists.forEach((name, items) -> found.putIfAbsent(name, Written.list(items.values())));
    return found;
  }

  private static boolean isOurs(String written) {
    return written.startsWith("weir.") || written.startsWith("weir[");
  }

  private static String plain(String written) {
    return written.indexOf('[') < 0 ? written : BRACKETS.matcher(written).replaceAll(".$1");
  }

  private String text(PropertySource<?> source, String written) {
    Object value = source.getProperty(written);
    if (value instanceof Collection<?> several) {
      return several.stream().map(each -> resolved(written, each)).collect(Collectors.joining(","));
    }
    if (value instanceof Object[] several) {
      return text(written, several);
    }
    return resolved(written, value);
  }

  private String text(String written, Object[] several) {
    return Arrays.stream(several)
        .map(each -> resolved(written, each))
        .collect(Collectors.joining(","));
  }

  private String resolved(String written, @Nullable Object value) {
    try {
      return value == null ? "" : environment.resolveRequiredPlaceholders(value.toString());
    } catch (PlaceholderResolutionException unresolved) { // its message has the value, a secret?
      throw new IllegalArgumentException(
          written + ": the placeholder '" + unresolved.getPlaceholder() + "' can't be resolved");
    } catch (IllegalArgumentException unreadable) {
      throw new IllegalArgumentException(written + ": a placeholder can't be resolved");
    }
  }

  private void addVariables(PropertySource<?> source, Map<String, String> variables) {
    for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
      if (name.startsWith(VARIABLE) && !ServiceVariables.isOne(name, written(source, name))) {
        variables.putIfAbsent(name, text(source, name));
      }
    }
  }

  private static String written(PropertySource<?> source, String name) {
    return String.valueOf(source.getProperty(name));
  }

  /**
   * Holds a value with the name that its source has for it.
   *
   * @param name the name in the source; of a list the name of its first item
   */
  private record Written(String name, String text) {
    static Written list(Collection<Written> items) {
      return new Written(
          items.iterator().next().name(),
          items.stream().map(Written::text).collect(Collectors.joining(",")));
    }
  }
}
