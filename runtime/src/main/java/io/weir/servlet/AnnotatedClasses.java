package io.weir.servlet;

import io.weir.Weir;
import io.weir.internal.container.HandlerClass;
import jakarta.servlet.Servlet;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the classes of an application that carry limits, as the container has found them, by what
 * could limit them.
 *
 * <p>Left out are Weir's own classes, servlets, which {@link UnmappedServletsWarning} is about,
 * sub-resources of JAX-RS, which are read at their first request, woven classes, and what serves no
 * requests itself: interfaces, abstract classes and annotations. Immutable.
 *
 * @param resources the root resources of JAX-RS
 * @param others classes that only another framework could call
 */
record AnnotatedClasses(List<Class<?>> resources, List<Class<?>> others) {
  private static final int LONGEST_LIST = 20;

  /**
   * Sorts classes.
   *
   * @param found null if the container has found none, or doesn't look for them
   */
  static AnnotatedClasses of(@Nullable Set<Class<?>> found) {
    List<Class<?>> limitable =
        Stream.ofNullable(found)
            .flatMap(Collection::stream)
            .filter(AnnotatedClasses::servesUnwoven)
            .sorted(Comparator.comparing(Class::getName))
            .toList();
    return new AnnotatedClasses(
        only(limitable, HandlerClass::isRootResource),
        only(limitable, each -> !HandlerClass.isResource(each)));
  }

  private static List<Class<?>> only(List<Class<?>> all, Predicate<Class<?>> condition) {
    return all.stream().filter(condition).toList();
  }

  private static boolean servesUnwoven(Class<?> type) {
    return !Modifier.isAbstract(type.getModifiers()) // nor an interface or annotation
        && !isOwn(type)
        && !Servlet.class.isAssignableFrom(type)
        && !HandlerClass.isWoven(type);
  }

  /** Weir reads its defaults from annotations on classes of its own. */
  private static boolean isOwn(Class<?> type) {
    return type.getPackageName().equals(Weir.class.getPackageName())
        || type.getPackageName().startsWith("io.weir.internal.");
  }

  /** Lists names for a message, not endlessly many. */
  static String names(List<Class<?>> types) {
    String names =
        types.stream().limit(LONGEST_LIST).map(Class::getName).collect(Collectors.joining(", "));
    int more = types.size() - LONGEST_LIST;
    return more > 0 ? names + " and " + more + " more" : names;
  }
}
