package io.weir.internal.policy.draft;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.annotation.Unlimited;
import io.weir.internal.settings.WindowUnit;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A method or class with annotations of Weir, direct or through composed annotations.
 *
 * <p>A method's annotations are those of the first of these that has any: the method itself, those
 * that it overrides in superclasses (the nearest first), those that it implements in interfaces.
 * Only if none has any, the class decides: the class that serves, its superclasses, its interfaces.
 *
 * <p>Immutable.
 *
 * @param element where the annotations stand
 * @param limits the limits, in the order written; those of composed annotations in their place
 * @param unlimited whether it is exempt
 */
public record LimitedElement(AnnotatedElement element, List<RateLimit> limits, boolean unlimited) {
  /** Whether an annotation is composed of ours. Cached, since it is asked for each method. */
  private static final ClassValue<Boolean> COMPOSED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> annotation) {
          return carries(annotation, new HashSet<>());
        }
      };

  private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9._-]");

  /**
   * What stands at a method or one that it overrides.
   *
   * @param type the class that serves
   * @param method the method
   * @return nothing if none of them has an annotation of ours
   */
  public static Optional<LimitedElement> method(ClassHierarchy type, Method method) {
    return first(type.declarations(method));
  }

  /**
   * What stands at a class or one that it extends or implements.
   *
   * @param type the class that serves
   * @return nothing if none of them has an annotation of ours
   */
  public static Optional<LimitedElement> type(ClassHierarchy type) {
    return first(type.ancestors());
  }

  private static Optional<LimitedElement> first(List<? extends AnnotatedElement> elements) {
    for (AnnotatedElement element : elements) {
      LimitedElement found = read(element);
      if (found.unlimited || !found.limits.isEmpty()) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private static LimitedElement read(AnnotatedElement element) {
    List<RateLimit> limits = new ArrayList<>();
    boolean unlimited = collect(element, limits, new HashSet<>());
    return new LimitedElement(element, List.copyOf(limits), unlimited);
  }

  private static boolean carries(Class<?> annotation, Set<Class<?>> seen) {
    for (Annotation each : annotation.getDeclaredAnnotations()) {
      Class<?> type = each.annotationType();
      boolean ours = type == RateLimit.class || type == RateLimits.class || type == Unlimited.class;
      if (ours || seen.add(type) && carries(type, seen)) {
        return true;
      }
    }
    return false;
  }

  private static boolean collect(
      AnnotatedElement element, List<RateLimit> limits, Set<Class<?>> seen) {
    boolean unlimited = false;
    for (Annotation each : element.getDeclaredAnnotations()) {
      if (each instanceof RateLimit limit) {
        limits.add(limit);
      } else if (each instanceof RateLimits several) {
        limits.addAll(List.of(several.value()));
      } else if (each instanceof Unlimited) {
        unlimited = true;
      } else if (COMPOSED.get(each.annotationType()) && seen.add(each.annotationType())) {
        // Annotations may carry each other in a circle: each is entered once.
        unlimited |= collect(each.annotationType(), limits, seen);
      }
    }
    return unlimited;
  }

  /**
   * The policies as written, each under its own name or the default.
   *
   * @return one for each limit
   */
  public List<PolicyDraft> drafts() {
    List<PolicyDraft> drafts = new ArrayList<>();
    for (RateLimit limit : limits) {
      String suffix = limits.size() > 1 ? "." + by(limit) + "-" + window(limit) : "";
      String name = limit.name().isEmpty() ? defaultName() + suffix : limit.name();
      drafts.add(PolicyDraft.of(limit, name, limit.name().isEmpty()));
    }
    return drafts;
  }

  /**
   * The class where the annotations stand.
   *
   * @return the class, or the method's
   */
  public Class<?> declaringClass() {
    return element instanceof Method method ? method.getDeclaringClass() : (Class<?>) element;
  }

  private String defaultName() {
    return element instanceof Method method
        ? name(method.getDeclaringClass()) + "." + clean(method.getName())
        : name((Class<?>) element);
  }

  /**
   * Where the annotations stand, as messages name it.
   *
   * @return class and method
   */
  public String place() {
    return element instanceof Method method
        ? place(method.getDeclaringClass(), method)
        : ((Class<?>) element).getName();
  }

  /**
   * A method as messages name it.
   *
   * @param type its class
   * @param method the method
   * @return {@code com.acme.Search#search}
   */
  public static String place(Class<?> type, Method method) {
    return type.getName() + "#" + method.getName();
  }

  /**
   * The short name of a class, with nothing in it that a policy's name can't have.
   *
   * @param type the class
   * @return {@code Search}
   */
  public static String name(Class<?> type) {
    String simple = type.getSimpleName();
    return clean(
        simple.isEmpty() ? type.getName().substring(type.getName().lastIndexOf('.') + 1) : simple);
  }

  /**
   * Replaces every character that a policy's name can't have by {@code _}.
   *
   * @param name the text
   * @return of the same length
   */
  public static String clean(String name) {
    return isClean(name) ? name : UNFIT.matcher(name).replaceAll("_");
  }

  /** Whether a text has nothing in it that a policy's name can't have. */
  static boolean isClean(String name) {
    for (int at = 0; at < name.length(); at++) {
      if (!isFit(name.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFit(char letter) {
    return letter >= 'a' && letter <= 'z'
        || letter >= 'A' && letter <= 'Z'
        || letter >= '0' && letter <= '9'
        || "._-".indexOf(letter) >= 0;
  }

  private static String by(RateLimit limit) {
    StringBuilder text = new StringBuilder();
    for (By each : limit.by()) {
      text.append(text.isEmpty() ? "" : "-").append(each.name().toLowerCase(Locale.ROOT));
    }
    return text.toString();
  }

  /** The window in the largest unit that is exact. */
  private static String window(RateLimit limit) {
    return WindowUnit.text(limit.window(), limit.unit());
  }
}
