package io.weir.spring;

import io.weir.Ticker;
import io.weir.WeirBuilder;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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
final class BeanParts {
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

  /**
   * Gives all parts.
   *
   * @throws DuplicatePartException if there are two beans of a part that a Weir has once
   */
  void addTo(WeirBuilder builder) {
    single(Ticker.class, builder::ticker);
    single(TierResolver.class, builder::tierResolver);
    single(LoadSensor.class, builder::loadSensor);
    single(PeerAddress.class, builder::peerAddress);
    addUserNames(builder);
    single(RefusalBody.class, builder::refusalBody);
    single(DecisionMetrics.class, builder::metrics);
    single(DecisionTracing.class, builder::tracing);
    single(PolicySource.class, builder::policySource);
    single(PolicySourceProvider.class, builder::policySourceProvider);
    single(PermitStore.class, builder::store);
    all(StoreProvider.class, builder::storeProvider);
    named(KeyResolver.class, KeyResolver::name, builder::keyResolver);
    named(CostResolver.class, CostResolver::name, builder::costResolver);
    named(RequestCondition.class, RequestCondition::name, builder::requestCondition);
  }

  private void addUserNames(WeirBuilder builder) {
    AtomicReference<@Nullable UserNames> own = new AtomicReference<>();
    single(UserNames.class, own::set);
    builder.userNames(new SpringUserNames(own.get(), beans));
  }

  private <T> void single(Class<T> type, Consumer<T> given) {
    try {
      beans.getBeanProvider(type).ifAvailable(given);
    } catch (NoUniqueBeanDefinitionException several) {
      throw new DuplicatePartException(type, several);
    }
    keep(beans.getBeanNamesForType(type));
  }

  private <T> void all(Class<T> type, Consumer<T> given) {
    beans.getBeanProvider(type).orderedStream().forEach(given);
    keep(beans.getBeanNamesForType(type));
  }

  private <T> void named(Class<T> type, Function<T, String> name, BiConsumer<String, T> given) {
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
