package io.weir.spring;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/** Makes the {@link Weir} of the application, and its one {@link Adapter}. */
@AutoConfiguration
public class WeirAutoConfiguration {
  /** Spring makes it. */
  public WeirAutoConfiguration() {}

  /**
   * Makes the Weir of the application.
   *
   * @param environment has settings
   * @param customizers give parts to it
   * @return closed with the context
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Weir weir(ConfigurableEnvironment environment, ObjectProvider<WeirCustomizer> customizers) {
    WeirBuilder builder = Weir.builder().liveSettings(() -> settings(environment));
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.build();
  }

  private static Map<String, String> settings(ConfigurableEnvironment environment) {
    Map<String, String> settings = new TreeMap<>();
    for (PropertySource<?> each : environment.getPropertySources()) {
      if (each instanceof EnumerablePropertySource<?> source) {
        for (String name : source.getPropertyNames()) {
          String value = name.startsWith("weir.") ? environment.getProperty(name) : null;
          if (value != null) {
            settings.put(name, value);
          }
        }
      }
    }
    return settings;
  }

  /**
   * Opens the adapter that the limits of requests and of methods share.
   *
   * @param weir the application's
   * @param context the application
   * @return closed before the Weir
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Adapter weirAdapter(Weir weir, ApplicationContext context) {
    ClassLoader loader =
        Objects.requireNonNullElseGet(
            context.getClassLoader(),
            () -> Objects.requireNonNull(ClassUtils.getDefaultClassLoader()));
    return Weir.adapter(AdapterOptions.defaults().withClassLoader(loader).withWeir(weir));
  }

  /**
   * Ends the start of the adapter.
   *
   * @param adapter the application's
   * @return started before the web server
   */
  @Bean
  AdapterStart weirAdapterStart(Adapter adapter) {
    return new AdapterStart(adapter);
  }
}
