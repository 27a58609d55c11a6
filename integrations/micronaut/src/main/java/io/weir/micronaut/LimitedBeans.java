package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.BeanDefinitionReference;
import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.reactivestreams.Publisher;

/**
 * Checks the limits of beans when the application starts. Those that the advice can't enforce are
 * refused or named: an advice is made when a bean is compiled, by the mapper of this module.
 */
@Singleton
final class LimitedBeans {
  private static final System.Logger LOG = System.getLogger("io.weir.micronaut");

  private final Adapter adapter;
  private final BeanContext beans;
  private final ConversionService conversion;

  LimitedBeans(Adapter adapter, BeanContext beans, ConversionService conversion) {
    this.adapter = adapter;
    this.beans = beans;
    this.conversion = conversion;
  }

  /**
   * Checks all beans of the application.
   *
   * @param routes the methods that a filter limits
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  void check(Set<Method> routes) {
    Set<String> mistakes = new LinkedHashSet<>();
    Set<String> unlimited = new TreeSet<>();
    for (BeanDefinitionReference<?> each : beans.getBeanDefinitionReferences()) {
      if (!LimitedRoutes.isOfMicronaut(each.getBeanDefinitionName()) && each.isEnabled(beans)) {
        check(each.load(beans), routes, mistakes, unlimited);
      }
    }
    InvalidPolicyException.throwIfAny(List.copyOf(mistakes));
    if (!unlimited.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "These methods have limits, but calls of them aren't limited unless AspectJ weaves them:"
              + " their beans were compiled without weir-micronaut on the path of the annotation"
              + " processors, or are made by a factory. Compile them with it, or put the limit on a"
              + " bean of your own: "
              + String.join(", ", unlimited));
    }
  }

  private void check(
      BeanDefinition<?> bean, Set<Method> routes, Set<String> mistakes, Set<String> unlimited) {
    Class<?> type = WrittenTypes.of(bean.getBeanType());
    for (Method method : LimitedTypes.limitedMethods(type)) {
      String place = type.getName() + "#" + method.getName();
      if (routes.contains(method) || BeanMethod.isLeftOut(bean) && !adapter.isAnnotated(method)) {
        continue; // the filter has checked it, or nothing limits it
      }
      int modifiers = method.getModifiers();
      if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
        mistakes.add(
            place
                + " has a limit, but is "
                + (Modifier.isPrivate(modifiers) ? "private" : "static")
                + ": Micronaut can't intercept its calls; make it a public method of the object, or"
                + " weave the class with AspectJ");
      } else {
        mistakes.addAll(policyMistakes(type, method));
        if (!isAdvised(bean, method)) {
          unlimited.add(place);
        } else if (isUnwatched(method.getReturnType())) {
          mistakes.add(
              place
                  + " has a limit, but returns "
                  + method.getReturnType().getName()
                  + ", whose end can't be watched, since Micronaut can't convert it: add the"
                  + " module that does, such as io.micronaut.kotlin:micronaut-kotlin-runtime, or"
                  + " return a publisher");
        }
      }
    }
  }

  /** Returns whether Micronaut has no converters for a type that it treats as a publisher. */
  private boolean isUnwatched(Class<?> result) {
    return Publishers.isConvertibleToPublisher(result)
        && !Publisher.class.isAssignableFrom(result)
        && !(conversion.canConvert(result, Publisher.class)
            && conversion.canConvert(Publisher.class, result));
  }

  private List<String> policyMistakes(Class<?> type, Method method) {
    try {
      adapter.call(
          type, method, Arrays.stream(method.getParameters()).map(Parameter::getName).toList());
      return List.of();
    } catch (InvalidPolicyException invalid) {
      return invalid.mistakes();
    }
  }

  private static boolean isAdvised(BeanDefinition<?> bean, Method method) {
    return bean instanceof AdvisedBeanType<?>
        && (bean.hasStereotype(Limited.class)
            || bean.getExecutableMethods().stream()
                .filter(each -> each.getMethodName().equals(method.getName()))
                .filter(each -> Arrays.equals(each.getArgumentTypes(), method.getParameterTypes()))
                .anyMatch(each -> each.hasStereotype(Limited.class)));
  }
}
