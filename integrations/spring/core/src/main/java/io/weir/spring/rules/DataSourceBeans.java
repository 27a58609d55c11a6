package io.weir.spring.rules;

import io.weir.Weir;
import java.util.Arrays;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * Finds data sources among the beans of the application, and has them closed after its Weir.
 *
 * <p>Safe for concurrent use.
 */
final class DataSourceBeans {
  private final ConfigurableListableBeanFactory beans;

  DataSourceBeans(ConfigurableListableBeanFactory beans) {
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
    if (beans.containsBean(name) && beans.isTypeMatch(name, DataSource.class)) {
      return Optional.of(closedAfterWeir(name, beans.getBean(name, DataSource.class)));
    }
    if (name.indexOf('/') >= 0 || name.indexOf(':') >= 0) {
      return Optional.empty();
    }
    throw new IllegalArgumentException(
        "weir.rules=datasource:" + name + " names no DataSource bean" + known());
  }

  private DataSource only() {
    try {
      NamedBeanHolder<DataSource> found = beans.resolveNamedBean(DataSource.class);
      return closedAfterWeir(found.getBeanName(), found.getBeanInstance());
    } catch (NoSuchBeanDefinitionException none) {
      throw new IllegalArgumentException(
          "weir.rules=datasource: needs one DataSource bean, or one that is @Primary" + known(),
          none);
    }
  }

  private DataSource closedAfterWeir(String name, DataSource bean) {
    for (String weir : beans.getBeanNamesForType(Weir.class, true, false)) {
      beans.registerDependentBean(name, weir);
    }
    return bean;
  }

  private String known() {
    String[] names = beans.getBeanNamesForType(DataSource.class, true, false);
    Arrays.sort(names);
    return names.length == 0
        ? "; the application has none"
        : "; the application has " + String.join(", ", names);
  }
}
