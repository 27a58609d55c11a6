package io.weir.spring;

import io.weir.adapter.WeirParts;
import io.weir.spi.UserNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.ScopeNotActiveException;

/**
 * Gives the builder of a Weir all beans of the application that are parts of it. A part lives at
 * least as long as the Weir.
 */
final class BeanParts extends WeirParts {
  private final ConfigurableListableBeanFactory beans;
  private final String weir;

  /**
   * Finds beans, also those of parent contexts.
   *
   * @param weir the name of the bean that is made of them
   */
  BeanParts(ConfigurableListableBeanFactory beans, String weir) {
    this.beans = beans;
    this.weir = weir;
  }

  @Override
  protected <T> void single(Class<T> type, Consumer<T> given) {
    try {
      @Nullable T own = beans.getBeanProvider(type).getIfAvailable();
      @Nullable T part = type == UserNames.class ? type.cast(userNames((UserNames) own)) : own;
      if (part != null) {
        given.accept(part);
      }
    } catch (NoUniqueBeanDefinitionException several) {
      throw new DuplicatePartException(type, several);
    }
    keep(beans.getBeanNamesForType(type));
  }

  /** Adds what Spring Security knows of users to the names that the application gives them. */
  private UserNames userNames(@Nullable UserNames own) {
    return new SpringUserNames(own, beans);
  }

  @Override
  protected <T> void all(Class<T> type, Consumer<T> given) {
    beans.getBeanProvider(type).orderedStream().forEach(given);
    keep(beans.getBeanNamesForType(type));
  }

  @Override
  protected <T> void named(Class<T> type, Function<T, String> name, BiConsumer<String, T> given) {
    named(beans, type, name).forEach(given);
    keep(beans.getBeanNamesForType(type));
  }

  /**
   * Finds the beans of a type under their names as beans, and under those that their classes name.
   * A bean that exists only in requests is found under its name as a bean alone.
   *
   * @throws DuplicatePartException if two classes have the same name
   */
  static <T> Map<String, T> named(
      ConfigurableListableBeanFactory beans, Class<T> type, Function<T, String> name) {
    Map<String, T> byOwnName = new LinkedHashMap<>();
    Map<String, T> all = new LinkedHashMap<>();
    for (String each : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type)) {
      if (ScopedProxyUtils.isScopedTarget(each)) {
        continue; // its proxy is among them
      }
      T part = beans.getBean(each, type);
      all.put(each, part);
      String usual = AopUtils.getTargetClass(part).getSimpleName();
      String own = ownName(part, name, usual);
      if (!own.equals(usual)) {
        T other = byOwnName.putIfAbsent(own, part);
        if (other != null) {
          throw new DuplicatePartException(type, own, other.getClass(), part.getClass());
        }
      }
    }
    byOwnName.forEach(all::putIfAbsent);
    return all;
  }

  /** A part of a scope that isn't active at the start, such as a request, can't be asked. */
  private static <T> String ownName(T part, Function<T, String> name, String usual) {
    try {
      return name.apply(part);
    } catch (ScopeNotActiveException outsideOfItsScope) {
      return usual;
    }
  }

  /** Has beans destroyed after the Weir that uses them. */
  private void keep(String[] parts) {
    for (String part : parts) {
      beans.registerDependentBean(part, weir);
    }
  }
}
