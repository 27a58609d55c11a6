package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.exceptions.NonUniqueBeanException;
import io.micronaut.core.annotation.AnnotationUtil;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Gives the builder of a Weir all beans of the application that are parts of it. */
final class BeanParts {
  private final BeanContext beans;

  BeanParts(BeanContext beans) {
    this.beans = beans;
  }

  /**
   * Gives all parts.
   *
   * @throws IllegalStateException if there are two beans of a part that a Weir has once, or two
   *     with the same name
   */
  void addTo(WeirBuilder builder) {
    single(Ticker.class, builder::ticker);
    single(TierResolver.class, builder::tierResolver);
    single(LoadSensor.class, builder::loadSensor);
    single(PeerAddress.class, builder::peerAddress);
    single(UserNames.class, builder::userNames);
    single(RefusalBody.class, builder::refusalBody);
    single(DecisionMetrics.class, builder::metrics);
    single(DecisionTracing.class, builder::tracing);
    single(PolicySource.class, builder::policySource);
    single(PolicySourceProvider.class, builder::policySourceProvider);
    single(PermitStore.class, builder::store);
    beans.getBeansOfType(StoreProvider.class).forEach(builder::storeProvider);
    named(KeyResolver.class, KeyResolver::name, builder::keyResolver);
    named(CostResolver.class, CostResolver::name, builder::costResolver);
    named(RequestCondition.class, RequestCondition::name, builder::requestCondition);
  }

  private <T> void single(Class<T> type, Consumer<T> given) {
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

  /**
   * Finds the beans of a type under the names of their classes and under those of {@code @Named}.
   */
  private <T> void named(Class<T> type, Function<T, String> name, BiConsumer<String, T> given) {
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
