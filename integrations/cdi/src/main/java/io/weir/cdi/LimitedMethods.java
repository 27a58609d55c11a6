package io.weir.cdi;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists the methods of beans that have limits, as {@link RateLimitExtension} found them: possibly
 * when the application was built, so it is handed on as text.
 *
 * <p>Immutable.
 */
public final class LimitedMethods {
  static final String PARAMETER = "methods";

  /** Methods, such as {@code send(java.lang.String)}, by the names of their beans' classes. */
  private final Map<String, Set<String>> byClass = new LinkedHashMap<>();

  /** The list of an application without limits. */
  static final LimitedMethods NONE = new LimitedMethods(new String[0]);

  private LimitedMethods(String[] lines) {
    for (String each : lines) {
      int end = each.indexOf('#');
      byClass
          .computeIfAbsent(each.substring(0, end), any -> new HashSet<>())
          .add(each.substring(end + 1));
    }
  }

  /** Makes the list in the running application; called by the container. */
  public static final class Creator implements SyntheticBeanCreator<LimitedMethods> {
    /** Called by the container. */
    public Creator() {}

    @Override
    public LimitedMethods create(Instance<Object> beans, Parameters parameters) {
      return new LimitedMethods(parameters.get(PARAMETER, String[].class));
    }
  }

  /** Writes a line of the list. */
  static String line(String type, String method) {
    return type + "#" + method;
  }

  boolean isEmpty() {
    return byClass.isEmpty();
  }

  Set<String> classes() {
    return byClass.keySet();
  }

  /** Finds the class as it is written, of which the container may have made a subclass. */
  Class<?> written(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (byClass.containsKey(each.getName())) {
        return each;
      }
    }
    return type;
  }

  /** Finds the methods of a class that have limits, each as it runs. */
  List<Method> of(Class<?> type) {
    Set<String> wanted = new HashSet<>(byClass.getOrDefault(type.getName(), Set.of()));
    List<Method> found = new ArrayList<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      collect(each, wanted, found);
    }
    for (Method each : type.getMethods()) {
      if (each.isDefault()) {
        collect(each, wanted, found);
      }
    }
    return found;
  }

  private static void collect(Class<?> type, Set<String> wanted, List<Method> found) {
    Arrays.stream(type.getDeclaredMethods())
        .filter(each -> !each.isBridge() && !Modifier.isPrivate(each.getModifiers()))
        .forEach(each -> collect(each, wanted, found));
  }

  private static void collect(Method method, Set<String> wanted, List<Method> found) {
    if (wanted.remove(Erasure.of(method))) {
      found.add(method);
    }
  }

  /** Returns the names of a method's parameters; none if they weren't compiled in. */
  static List<String> parameterNames(Method method) {
    return Arrays.stream(method.getParameters()).allMatch(each -> each.isNamePresent())
        ? Arrays.stream(method.getParameters()).map(each -> each.getName()).toList()
        : List.of();
  }
}
