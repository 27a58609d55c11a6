package io.weir.quarkus.rules;

import io.quarkus.arc.Arc;
import io.quarkus.arc.InjectableBean;
import io.quarkus.arc.InstanceHandle;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.inject.Named;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Finds data sources among the beans of the application, such as those of Agroal. */
final class DataSourceBeans {
  private DataSourceBeans() {}

  /**
   * Finds a data source.
   *
   * @param name that of a datasource of Quarkus, or of a {@code @Named} bean; empty for the default
   *     or only one
   * @return empty for a name of JNDI
   * @throws IllegalArgumentException if there is no such bean; the message names those that exist
   */
  static Optional<DataSource> find(String name) {
    List<InstanceHandle<DataSource>> all =
        Arc.container().listAll(DataSource.class, Any.Literal.INSTANCE);
    if (name.isEmpty()) {
      return Optional.of(only(all).get());
    }
    Optional<InstanceHandle<DataSource>> found = first(all, bean -> name.equals(nameOf(bean)));
    if (found.isEmpty() && name.indexOf('/') < 0 && name.indexOf(':') < 0) {
      throw new IllegalArgumentException(
          "weir.rules=datasource:" + name + " names no datasource of Quarkus" + known(all));
    }
    return found.map(InstanceHandle::get);
  }

  private static InstanceHandle<DataSource> only(List<InstanceHandle<DataSource>> all) {
    return all.size() == 1
        ? all.get(0)
        : first(all, bean -> bean.getQualifiers().contains(Default.Literal.INSTANCE))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "weir.rules=datasource: needs the default datasource of Quarkus, or only"
                            + " one"
                            + known(all)));
  }

  private static Optional<InstanceHandle<DataSource>> first(
      List<InstanceHandle<DataSource>> all, Predicate<InjectableBean<DataSource>> wanted) {
    return all.stream().filter(each -> wanted.test(each.getBean())).findFirst();
  }

  /** Returns the name of a data source; {@code <default>} for that without one, as Quarkus does. */
  private static String nameOf(InjectableBean<DataSource> bean) {
    return bean.getQualifiers().stream()
        .filter(Named.class::isInstance)
        .map(each -> ((Named) each).value())
        .findFirst()
        .orElse("<default>");
  }

  private static String known(List<InstanceHandle<DataSource>> all) {
    return all.isEmpty()
        ? "; the application has none"
        : all.stream()
            .map(each -> nameOf(each.getBean()))
            .sorted()
            .collect(Collectors.joining(", ", "; the application has ", ""));
  }
}
