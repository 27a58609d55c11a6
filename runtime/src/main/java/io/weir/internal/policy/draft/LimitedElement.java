package io.weir.internal.policy.draft;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.annotation.Unlimited;
import io.weir.internal.settings.WindowUnit;
import io.weir.store.BucketSpec;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds the annotations of Weir at a method or class, direct ones and those of composed
 * annotations.
 *
 * <p>The annotations of a method are those of the first of these that has any: the method itself,
 * the methods that it overrides in superclasses (the nearest first), the methods that it implements
 * in interfaces. If none has any, those of the class apply: the class that serves, its
 * superclasses, its interfaces.
 *
 * <p>Immutable.
 *
 * @param element the method or class that carries the annotations
 * @param limits the limits, in the order written, with those of composed annotations in their place
 * @param unlimited whether it is exempt
 */
public record LimitedElement(AnnotatedElement element, List<RateLimit> limits, boolean unlimited) {
  /** Whether an annotation is composed of Weir's. Cached, since it is needed for each method. */
  private static final ClassValue<Boolean> COMPOSED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> annotation) {
          return carries(annotation, new HashSet<>());
        }
      };

  private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9._-]");

  /** Finds the annotations at a method or one that it overrides. */
  public static Optional<LimitedElement> method(ClassHierarchy type, Method method) {
    return first(type.declarations(method));
  }

  /** Finds the annotations at a class or one that it extends or implements. */
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
        // Annotations may carry each other in a circle, so each is entered once.
        unlimited |= collect(each.annotationType(), limits, seen);
      }
    }
    return unlimited;
  }

  /** Returns a policy for each limit, under its own name or the default one. */
  public List<PolicyDraft> drafts() {
    List<PolicyDraft> drafts = new ArrayList<>();
    for (RateLimit limit : limits) {
      String suffix = limits.size() > 1 ? "." + by(limit) + "-" + window(limit) : "";
      String name = limit.name().isEmpty() ? defaultName() + suffix : limit.name();
      drafts.add(PolicyDraft.of(limit, name, limit.name().isEmpty()));
    }
    return drafts;
  }

  /** Returns the class that carries the annotations, or whose method does. */
  public Class<?> declaringClass() {
    return element instanceof Method method ? method.getDeclaringClass() : (Class<?>) element;
  }

  private String defaultName() {
    return element instanceof Method method
        ? name(method.getDeclaringClass()) + "." + clean(method.getName())
        : name((Class<?>) element);
  }

  /** Returns the class and method as messages name them. */
  public String place() {
    return element instanceof Method method
        ? place(method.getDeclaringClass(), method)
        : ((Class<?>) element).getName();
  }

  /** Returns a method as messages name it: {@code com.acme.Search#search}. */
  public static String place(Class<?> type, Method method) {
    return type.getName() + "#" + method.getName();
  }

  /**
   * Returns the short name of a class, {@code Search}, without characters that a policy's name
   * can't have.
   */
  public static String name(Class<?> type) {
    String simple = type.getSimpleName();
    return clean(
        simple.isEmpty() ? type.getName().substring(type.getName().lastIndexOf('.') + 1) : simple);
  }

  /** Replaces every character that a policy's name can't have by {@code _}. */
  public static String clean(String name) {
    return BucketSpec.isName(name) ? name : UNFIT.matcher(name).replaceAll("_");
  }

  private static String by(RateLimit limit) {
    return Arrays.stream(limit.by())
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("-"));
  }

  /** Writes the window in the largest unit that is exact. */
  private static String window(RateLimit limit) {
    return WindowUnit.text(limit.window(), limit.unit());
  }
}
