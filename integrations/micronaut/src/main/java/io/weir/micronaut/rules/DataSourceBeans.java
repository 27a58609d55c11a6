package io.weir.micronaut.rules;

import io.micronaut.context.BeanContext;
import io.micronaut.context.Qualifier;
import io.micronaut.context.exceptions.NoSuchBeanException;
import io.micronaut.core.naming.Named;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.jdbc.DataSourceResolver;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds data sources among the beans of the application, such as those of {@code datasources.*}.
 *
 * <p>Safe for concurrent use.
 */
final class DataSourceBeans {
  private static final boolean HAS_RESOLVER =
      ClassUtils.isPresent(
          "io.micronaut.jdbc.DataSourceResolver", DataSourceBeans.class.getClassLoader());

  private final BeanContext beans;

  DataSourceBeans(BeanContext beans) {
    this.beans = beans;
  }

  /**
   * Finds a data source.
   *
   * @param name the name of the bean, which is made if needed; empty for the primary or only one
   * @return empty for a name of JNDI
   * @throws IllegalArgumentException if there is no such bean; the message names those that exist
   */
  Optional<DataSource> find(String name) {
    if (name.isEmpty()) {
      return Optional.of(only());
    }
    Qualifier<DataSource> named = Qualifiers.byName(name);
    if (beans.containsBean(DataSource.class, named)) {
      return Optional.of(itself(beans.getBean(DataSource.class, named)));
    }
    if (name.indexOf('/') >= 0 || name.indexOf(':') >= 0) {
      return Optional.empty();
    }
    throw new IllegalArgumentException(
        "weir.rules=datasource:" + name + " names no DataSource bean" + known());
  }

  private DataSource only() {
    try {
      return itself(beans.getBean(DataSource.class));
    } catch (NoSuchBeanException none) { // or several
      throw new IllegalArgumentException(
          "weir.rules=datasource: needs one DataSource bean, or one that is @Primary" + known(),
          none);
    }
  }

  /** Finds a data source behind that of Micronaut Data, which works in transactions only. */
  private DataSource itself(DataSource bean) {
    return HAS_RESOLVER ? Resolver.resolve(beans, bean) : bean;
  }

  private String known() {
    String names =
        beans.getBeanDefinitions(DataSource.class).stream()
            .map(DataSourceBeans::name)
            .sorted()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "; the application has none" : "; the application has " + names;
  }

  private static String name(BeanDefinition<DataSource> bean) {
    @Nullable Qualifier<DataSource> own = bean.getDeclaredQualifier();
    return own instanceof Named named
        ? named.getName()
        : bean.getBeanType().getSimpleName() + " without a name";
  }

  /** Loaded only where {@code micronaut-jdbc} is. */
  private static final class Resolver {
    static DataSource resolve(BeanContext beans, DataSource bean) {
      DataSourceResolver own =
          beans.findBean(DataSourceResolver.class).orElse(DataSourceResolver.DEFAULT);
      return own.resolve(bean);
    }
  }
}
