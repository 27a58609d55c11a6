package io.weir.adapter;

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
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Gives the builder of a Weir the parts that an application has as beans, so that all containers
 * find the same ones. An adapter says how its container finds beans of a type.
 *
 * <p>Used by one thread.
 */
public abstract class WeirParts {
  private static final List<Part<?>> ALL =
      List.of(
          single(Ticker.class, WeirBuilder::ticker),
          single(TierResolver.class, WeirBuilder::tierResolver),
          single(LoadSensor.class, WeirBuilder::loadSensor),
          single(PeerAddress.class, WeirBuilder::peerAddress),
          single(UserNames.class, WeirBuilder::userNames),
          single(RefusalBody.class, WeirBuilder::refusalBody),
          single(DecisionMetrics.class, WeirBuilder::metrics),
          single(DecisionTracing.class, WeirBuilder::tracing),
          single(PolicySource.class, WeirBuilder::policySource),
          single(PolicySourceProvider.class, WeirBuilder::policySourceProvider),
          single(PermitStore.class, WeirBuilder::store),
          new Part<>(
              StoreProvider.class,
              (beans, builder) -> beans.all(StoreProvider.class, builder::storeProvider)),
          named(KeyResolver.class, KeyResolver::name, WeirBuilder::keyResolver),
          named(CostResolver.class, CostResolver::name, WeirBuilder::costResolver),
          named(RequestCondition.class, RequestCondition::name, WeirBuilder::requestCondition));

  private record Part<T>(Class<T> type, BiConsumer<WeirParts, WeirBuilder> adding) {}

  @FunctionalInterface
  private interface NamedPart<T> {
    void add(WeirBuilder builder, String name, T part);
  }

  /** Made by an adapter for one Weir. */
  protected WeirParts() {}

  private static <T> Part<T> single(Class<T> type, BiConsumer<WeirBuilder, T> part) {
    return new Part<>(
        type, (beans, builder) -> beans.single(type, found -> part.accept(builder, found)));
  }

  private static <T> Part<T> named(Class<T> type, Function<T, String> ownName, NamedPart<T> part) {
    return new Part<>(
        type,
        (beans, builder) ->
            beans.named(type, ownName, (name, found) -> part.add(builder, name, found)));
  }

  /**
   * Returns the types of all parts, for containers that have to know them before.
   *
   * @return an unmodifiable list
   */
  public static List<Class<?>> types() {
    return ALL.stream().<Class<?>>map(Part::type).toList();
  }

  /**
   * Gives all parts.
   *
   * @param builder of the Weir
   * @throws IllegalStateException if the application has several beans of a part that a Weir has
   *     once, or several with one name
   */
  public final void addTo(WeirBuilder builder) {
    ALL.forEach(each -> each.adding().accept(this, builder));
  }

  /**
   * Finds the bean of a part that a Weir has once.
   *
   * @param <T> the type of the part
   * @param type the type of the bean
   * @param given takes the bean, if there is one
   */
  protected abstract <T> void single(Class<T> type, Consumer<T> given);

  /**
   * Finds all beans of a part.
   *
   * @param <T> the type of the part
   * @param type the type of the beans
   * @param given takes each bean
   */
  protected abstract <T> void all(Class<T> type, Consumer<T> given);

  /**
   * Finds all beans of a part by which annotations name them.
   *
   * @param <T> the type of the part
   * @param type the type of the beans
   * @param ownName returns the name that a bean has itself
   * @param given takes each bean under each of its names
   */
  protected abstract <T> void named(
      Class<T> type, Function<T, String> ownName, BiConsumer<String, T> given);
}
