package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.exceptions.NonUniqueBeanException;
import io.micronaut.core.annotation.AnnotationUtil;
import io.weir.adapter.WeirParts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Gives the builder of a Weir all beans of the application that are parts of it. */
final class BeanParts extends WeirParts {
  private final BeanContext beans;

  BeanParts(BeanContext beans) {
    this.beans = beans;
  }

  @Override
  protected <T> void single(Class<T> type, Consumer<T> given) {
    try {
      beans.findBean(type).ifPresent(given);
    } catch (NonUniqueBeanException several) {
      throw new IllegalStateException(
          "there are several beans of "
              + type.getName()
              + ", but a Weir has one; mark one of them @Primary",
          several);
    }
  }

  @Override
  protected <T> void all(Class<T> type, Consumer<T> given) {
    beans.getBeansOfType(type).forEach(given);
  }

  /** Gives beans under the names of their classes and under those of {@code @Named}. */
  @Override
  protected <T> void named(Class<T> type, Function<T, String> name, BiConsumer<String, T> given) {
    Map<String, T> found = new LinkedHashMap<>();
    for (BeanRegistration<T> each : beans.getBeanRegistrations(type)) {
      T part = each.getBean();
      put(found, type, name.apply(part), part);
      each.getBeanDefinition()
          .stringValue(AnnotationUtil.NAMED)
          .ifPresent(own -> put(found, type, own, part));
    }
    found.forEach(given);
  }

  private static <T> void put(Map<String, T> found, Class<T> type, String name, T part) {
    T other = found.putIfAbsent(name, part);
    if (other != null && other != part) {
      throw new IllegalStateException(
          "the beans of "
              + other.getClass().getName()
              + " and "
              + part.getClass().getName()
              + " have the same name as "
              + type.getSimpleName()
              + ": "
              + name);
    }
  }
}
