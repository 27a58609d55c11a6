package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names filters of the application that run before Weir's. Micronaut's default order comes before
 * all others, so a sign-in that was written without an order would reject any number of passwords.
 */
final class EarlierFilters {
  private static final System.Logger LOG = System.getLogger("io.weir.micronaut");

  /** Filters with it run before the route is looked for, and before all others. */
  private static final String PRE_MATCHING = "io.micronaut.http.server.annotation.PreMatching";

  private EarlierFilters() {}

  static void warn(BeanContext beans) {
    Set<String> earlier = new TreeSet<>();
    for (BeanDefinition<?> each :
        beans.getBeanDefinitions(Qualifiers.byStereotype(ServerFilter.class))) {
      if (isOfApplication(each) && isEarlier(beans, each)) {
        earlier.add(WrittenTypes.of(each.getBeanType()).getName());
      }
    }
    for (BeanDefinition<?> each : beans.getBeanDefinitions(Qualifiers.byStereotype(Filter.class))) {
      if (isOfApplication(each)
          && HttpServerFilter.class.isAssignableFrom(each.getBeanType())
          && order(beans, each, each) < RateLimitFilter.BEFORE_SIGN_IN) {
        earlier.add(WrittenTypes.of(each.getBeanType()).getName());
      }
    }
    if (!earlier.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "These filters run before Weir''s, so requests that they answer don''t count. One that"
              + " checks passwords needs an order above {0}, such as that of"
              + " ServerFilterPhase.SECURITY, and no @PreMatching: {1}",
          Integer.toString(RateLimitFilter.BEFORE_SIGN_IN),
          String.join(", ", earlier));
    }
  }

  private static boolean isOfApplication(BeanDefinition<?> bean) {
    return !LimitedRoutes.isOfMicronaut(bean.getBeanType().getName())
        && bean.getBeanType() != RateLimitFilter.class;
  }

  private static boolean isEarlier(BeanContext beans, BeanDefinition<?> bean) {
    return bean.getExecutableMethods().stream()
        .filter(each -> each.hasStereotype(RequestFilter.class))
        .anyMatch(
            each ->
                each.hasAnnotation(PRE_MATCHING)
                    || bean.hasAnnotation(PRE_MATCHING)
                    || order(beans, bean, each) < RateLimitFilter.BEFORE_SIGN_IN);
  }

  private static int order(BeanContext beans, BeanDefinition<?> bean, AnnotationMetadata declared) {
    return Ordered.class.isAssignableFrom(bean.getBeanType())
        ? ((Ordered) beans.getBean(bean)).getOrder()
        : declared.intValue(Order.class).orElseGet(() -> bean.intValue(Order.class).orElse(0));
  }
}
