package io.weir.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.arc.InjectableBean;
import io.quarkus.arc.InstanceHandle;
import io.weir.WeirBuilder;
import io.weir.adapter.WeirParts;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.inject.Any;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Gives the builder of a Weir all beans of the application that are parts of it. */
final class BeanParts extends WeirParts {
  /** Lets the application change the builder. */
  static void customize(WeirBuilder builder) {
    all(WeirBuilderCustomizer.class).forEach(each -> each.get().customize(builder));
  }

  private static <T> List<InstanceHandle<T>> all(Class<T> type) {
    return Arc.container().listAll(type, Any.Literal.INSTANCE);
  }

  @Override
  protected <T> void all(Class<T> type, Consumer<T> given) {
    all(type).forEach(each -> given.accept(each.get()));
  }

  @Override
  protected <T> void single(Class<T> type, Consumer<T> given) {
    List<InstanceHandle<T>> found = all(type);
    if (found.size() > 1) {
      throw new IllegalStateException(
          type.getSimpleName()
              + ": Weir uses only one bean of this type, but there are several: "
              + found.stream()
                  .map(each -> each.getBean().getBeanClass().getName())
                  .sorted()
                  .collect(Collectors.joining(", ")));
    }
    found.forEach(each -> given.accept(each.get()));
  }

  /** Gives beans under their {@code @Named} and under the names that their classes have. */
  @Override
  protected <T> void named(Class<T> type, Function<T, String> name, BiConsumer<String, T> given) {
    Map<String, InstanceHandle<T>> byName = new LinkedHashMap<>();
    for (InstanceHandle<T> each : all(type)) {
      put(type, byName, ownName(each, name), each);
      Optional.ofNullable(each.getBean().getName()).ifPresent(of -> put(type, byName, of, each));
    }
    byName.forEach((each, part) -> given.accept(each, part.get()));
  }

  private static <T> void put(
      Class<T> type, Map<String, InstanceHandle<T>> byName, String name, InstanceHandle<T> part) {
    InstanceHandle<T> other = byName.put(name, part);
    if (other != null && other != part) {
      throw new IllegalStateException(
          type.getSimpleName()
              + ": both "
              + other.getBean().getBeanClass().getName()
              + " and "
              + part.getBean().getBeanClass().getName()
              + " have the name '"
              + name
              + "'");
    }
  }

  /**
   * Returns the name that a part has itself, else the simple name of its class as it is written:
   * ArC makes subclasses. A part of a scope that isn't active at the start can't be asked.
   */
  private static <T> String ownName(InstanceHandle<T> handle, Function<T, String> name) {
    InjectableBean<T> bean = handle.getBean();
    String written = bean.getImplementationClass().getSimpleName();
    try {
      String own = name.apply(handle.get());
      return own.startsWith(written + "_") ? written : own;
    } catch (ContextNotActiveException outsideOfItsScope) {
      return written;
    }
  }
}
