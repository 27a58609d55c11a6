package io.weir.spring.store;

import io.weir.store.StoreProvider;
import java.util.Map;
import java.util.ServiceLoader;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Keeps Spring Boot 3 from connecting the application to a Cassandra, and its health to depend on
 * it, for the driver alone that {@code weir-cassandra} brings. An application with a Cassandra of
 * its own has settings {@code spring.cassandra.*}, or Spring Data.
 */
public final class WeirCassandraFilter
    implements AutoConfigurationImportFilter, EnvironmentAware, BeanClassLoaderAware {
  private static final String OF_BOOT_3 =
      "org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration";
  private static final String SPRING_DATA =
      "org.springframework.data.cassandra.core.CassandraTemplate";
  private static final Bindable<Map<String, Object>> SETTINGS =
      Bindable.mapOf(String.class, Object.class);

  private boolean hasSettings = true;
  private ClassLoader loader = WeirCassandraFilter.class.getClassLoader();

  @Override
  public void setEnvironment(Environment environment) {
    hasSettings = Binder.get(environment).bind("spring.cassandra", SETTINGS).isBound();
  }

  @Override
  public void setBeanClassLoader(ClassLoader beans) {
    loader = beans;
  }

  @Override
  public boolean[] match(String[] types, AutoConfigurationMetadata metadata) {
    boolean isOfWeir = !hasSettings && !ClassUtils.isPresent(SPRING_DATA, loader) && hasStore();
    boolean[] kept = new boolean[types.length];
    for (int i = 0; i < types.length; i++) {
      kept[i] = !(isOfWeir && OF_BOOT_3.equals(types[i])); // null: another filter has removed it
    }
    return kept;
  }

  private boolean hasStore() {
    return ServiceLoader.load(StoreProvider.class, loader).stream()
        .anyMatch(each -> each.get().schemes().contains("cassandra"));
  }
}
