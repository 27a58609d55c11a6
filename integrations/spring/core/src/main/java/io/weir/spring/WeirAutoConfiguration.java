package io.weir.spring;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Makes the {@link Weir} of the application, and its one {@link Adapter}. */
@AutoConfiguration
public class WeirAutoConfiguration {
  /** Spring makes it. */
  public WeirAutoConfiguration() {}

  /**
   * Makes the Weir of the application.
   *
   * @return closed with the context
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Weir weir() {
    return Weir.builder().build();
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
            context.getClassLoader(), () -> Objects.requireNonNull(ClassUtils.getDefaultClassLoader()));
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
