package io.weir.spring;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Makes the {@link Weir} of the application, unless that has one as a bean, and its one {@link
 * Adapter}. A child context uses those of its parent.
 */
@AutoConfiguration
public class WeirAutoConfiguration {
  private static final String WEIR = "weir";

  /**
   * Makes the Weir of the application, of its environment and of its beans.
   *
   * @param beans may have parts of the Weir
   * @param environment the settings
   * @param customizers change the builder at last
   * @return closed with the context
   */
  @Bean(name = WEIR, destroyMethod = "close")
  @ConditionalOnMissingBean
  Weir weir(
      ConfigurableListableBeanFactory beans,
      Environment environment,
      ObjectProvider<WeirBuilderCustomizer> customizers) {
    return ApplicationLoader.of(beans)
        .call(
            () -> {
              WeirBuilder builder =
                  Weir.builder().liveSettings(new EnvironmentSettings(environment));
              new BeanParts(beans, WEIR).addTo(builder);
              customizers.orderedStream().forEach(each -> each.customize(builder));
              try {
                return builder.build();
              } catch (InvalidSettingException mistake) {
                AnnotationMistakes.of(beans).ifPresent(mistake::addSuppressed);
                throw mistake;
              }
            });
  }

  /**
   * Opens the adapter that the limits of requests and of methods share. Aspects, servlet filters
   * and JAX-RS in the same application find its Weir too.
   *
   * @param weir the application's
   * @param beans the application's
   * @return closed before the Weir
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Adapter weirAdapter(Weir weir, ConfigurableListableBeanFactory beans) {
    ApplicationLoader loader = ApplicationLoader.of(beans);
    weir.install(); // for the server's own loader, if it starts: other contexts may share ours
    return loader.call(
        () ->
            Weir.adapter(
                AdapterOptions.defaults()
                    .withClassLoader(loader.loader())
                    .withWeir(weir.install())));
  }

  /**
   * Checks annotations and settings of all adapters together.
   *
   * @param checks those of the adapters
   * @return runs once all beans are made
   */
  @Bean
  static StartChecks weirStartChecks(ObjectProvider<StartCheck> checks) {
    return new StartChecks(checks);
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

  /**
   * Follows the environment where something reports its changes.
   *
   * @param weir the application's
   * @return a listener to the events of Spring Cloud
   */
  @Bean
  static EnvironmentListener weirEnvironmentListener(ObjectProvider<Weir> weir) {
    return new EnvironmentListener(weir);
  }
}
