package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Names filters of the application that don't run between those of Weir. A sign-in before them
 * would reject any number of passwords; one after them signs in users that policies don't know.
 *
 * <p>The order is that by which Micronaut sorts: what an annotation of the method or the class
 * says, else what the object says, else the last. Only in the second case the filter is made.
 */
final class FilterPositions {
  private static final System.Logger LOG = System.getLogger("io.weir.micronaut");

  /** Filters with it run before the route is looked for, and before all others. */
  private static final String PRE_MATCHING = "io.micronaut.http.server.annotation.PreMatching";

  private final BeanContext beans;
  private final Set<String> earlier = new TreeSet<>();
  private final Set<String> later = new TreeSet<>();

  private FilterPositions(BeanContext beans) {
    this.beans = beans;
  }

  static void warn(BeanContext beans) {
    FilterPositions found = new FilterPositions(beans);
    for (BeanDefinition<?> each : ofApplication(beans, ServerFilter.class)) {
      found.add(each, found.orders(each));
    }
    for (BeanDefinition<?> each : ofApplication(beans, Filter.class)) {
      if (HttpServerFilter.class.isAssignableFrom(each.getBeanType())) {
        found.add(each, found.ofObject(each));
      }
    }
    found.warn();
  }

  private static Iterable<BeanDefinition<?>> ofApplication(
      BeanContext beans, Class<? extends Annotation> kind) {
    return beans.getBeanDefinitions(Qualifiers.byStereotype(kind)).stream()
        .filter(each -> !LimitedRoutes.isOfMicronaut(each.getBeanType().getName()))
        .filter(each -> each.getBeanType() != RateLimitFilter.class)
        .<BeanDefinition<?>>map(each -> each)
        .toList();
  }

  private static String name(BeanDefinition<?> bean) {
    return WrittenTypes.of(bean.getBeanType()).getName();
  }

  private void add(BeanDefinition<?> bean, IntStream orders) {
    int[] all = orders.toArray();
    if (Arrays.stream(all).anyMatch(each -> each < RateLimitFilter.BEFORE_SIGN_IN)) {
      earlier.add(name(bean));
    }
    if (Arrays.stream(all).anyMatch(each -> each == RateLimitFilter.AFTER_SIGN_IN)) {
      later.add(name(bean));
    }
  }

  private void warn() {
    if (!earlier.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "These filters run before Weir''s, so requests that they answer don''t count. One that"
              + " checks passwords needs an order above {0}, such as that of"
              + " ServerFilterPhase.SECURITY, and no @PreMatching: {1}",
          Integer.toString(RateLimitFilter.BEFORE_SIGN_IN),
          String.join(", ", earlier));
    }
    if (!later.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "These filters may run after Weir''s, so policies by USER don''t know users that they"
              + " sign in. One that signs in users needs an order, such as that of"
              + " ServerFilterPhase.SECURITY: {0}",
          String.join(", ", later));
    }
  }

  private IntStream orders(BeanDefinition<?> bean) {
    return bean.getExecutableMethods().stream()
        .filter(each -> each.hasStereotype(RequestFilter.class))
        .flatMapToInt(each -> order(bean, each));
  }

  private IntStream order(BeanDefinition<?> bean, ExecutableMethod<?, ?> method) {
    if (method.hasAnnotation(PRE_MATCHING) || bean.hasAnnotation(PRE_MATCHING)) {
      return IntStream.of(Ordered.HIGHEST_PRECEDENCE);
    }
    if (method.hasAnnotation(Order.class)) {
      return method.intValue(Order.class).stream();
    }
    return Ordered.class.isAssignableFrom(bean.getBeanType())
        ? ofObject(bean)
        : IntStream.of(Ordered.LOWEST_PRECEDENCE);
  }

  /** Asks the filter itself, unless it has the order of all that don't choose one. */
  private IntStream ofObject(BeanDefinition<?> bean) {
    if (!choosesOrder(bean.getBeanType())) {
      return IntStream.of(0);
    }
    try {
      return IntStream.of(((Ordered) beans.getBean(bean)).getOrder());
    } catch (RuntimeException | LinkageError notYet) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The order of the filter "
              + name(bean)
              + " can't be determined, since it can't be made at the start. If it runs before"
              + " Weir's, requests that it answers don't count.",
          notYet);
      return IntStream.empty();
    }
  }

  private static boolean choosesOrder(Class<?> type) {
    try {
      return type.getMethod("getOrder").getDeclaringClass() != Ordered.class;
    } catch (NoSuchMethodException | LinkageError unreadable) {
      return true;
    }
  }
}
