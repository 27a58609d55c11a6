package io.weir.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the init parameters of an application's rate limit filters, and those of the application.
 */
final class FilterParameters {
  private static final String PHASE = "phase";
  private static final String PREFIX = "weir.";

  private final Class<? extends Filter> filterClass;
  private final ServletContext context;

  FilterParameters(Class<? extends Filter> filterClass, ServletContext context) {
    this.filterClass = filterClass;
    this.context = context;
  }

  /**
   * Reads a filter's position in the chain.
   *
   * @throws IllegalArgumentException if a parameter is unknown or malformed, or the filter has
   *     phase {@code before} and no other filter decides the rest
   */
  SignInPosition phase(FilterConfig config) {
    for (String name : Collections.list(config.getInitParameterNames())) {
      if (!name.equals(PHASE) && !name.startsWith(PREFIX)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "filter %s has the unknown init parameter '%s': allowed are '%s' and settings (%s…)",
                config.getFilterName(),
                name,
                PHASE,
                PREFIX));
      }
    }
    SignInPosition phase = phase(config.getInitParameter(PHASE));
    if (phase == SignInPosition.BEFORE) {
      requireRest(config);
    }
    return phase;
  }

  /** Requires another filter that decides what a filter before the sign-in leaves undecided. */
  private void requireRest(FilterConfig config) {
    List<? extends FilterRegistration> after = afterSignIn();
    if (after.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "filter %s has phase before, but no %s has phase after: policies by user would never be decided; add one after the sign-in",
              config.getFilterName(),
              filterClass.getSimpleName()));
    }
    @Nullable FilterRegistration before = context.getFilterRegistration(config.getFilterName());
    Set<String> undecided =
        before == null ? Set.of() : ServletsWithoutUserFilter.find(context, before, after);
    if (!undecided.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "filter %s has phase before and is mapped to the servlets %s, but no %s with phase"
                  + " after is: policies by user would never be decided there; map both filters to"
                  + " the same servlets, or let the container run WeirInitializer",
              config.getFilterName(),
              undecided,
              filterClass.getSimpleName()));
    }
  }

  private static SignInPosition phase(FilterRegistration filter) {
    return phase(filter.getInitParameter(PHASE));
  }

  private static SignInPosition phase(@Nullable String text) {
    return text == null ? SignInPosition.BOTH : SignInPosition.of(text);
  }

  /**
   * Reads the settings of the application and all its filters, the same for each filter.
   *
   * @throws IllegalArgumentException if two filters disagree
   */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (FilterRegistration filter : filters()) {
      ours(filter.getInitParameters())
          .forEach(
              (name, value) -> {
                if (!settings.getOrDefault(name, value).equals(value)) {
                  throw new IllegalArgumentException(
                      String.format(
                          Locale.ROOT,
                          "init parameter '%s' is '%s' in one filter and '%s' in another; give both the same value",
                          name,
                          settings.get(name),
                          value));
                }
                settings.put(name, value);
              });
    }
    ofApplication(context).forEach(settings::putIfAbsent);
    return settings;
  }

  /** Reads the settings among the parameters of the application. */
  static Map<String, String> ofApplication(ServletContext context) {
    Map<String, String> settings = new TreeMap<>();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith(PREFIX)) {
        settings.put(name, context.getInitParameter(name));
      }
    }
    return settings;
  }

  private static Map<String, String> ours(Map<String, String> parameters) {
    Map<String, String> ours = new TreeMap<>(parameters);
    ours.keySet().removeIf(name -> !name.startsWith(PREFIX));
    return ours;
  }

  private List<? extends FilterRegistration> filters() {
    return RegisteredFilters.of(filterClass, context);
  }

  /**
   * Returns the filters that decide policies by user: those with phase {@code after} or {@code
   * both}.
   */
  List<? extends FilterRegistration> afterSignIn() {
    return filters().stream().filter(each -> phase(each) != SignInPosition.BEFORE).toList();
  }
}
