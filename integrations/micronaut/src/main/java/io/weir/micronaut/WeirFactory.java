package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.spi.PolicySourceProvider;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/** Makes the {@link Weir} of the application, unless that has one as a bean, and its adapter. */
@Factory
final class WeirFactory {
  /**
   * Makes a Weir of the environment and of the beans that are parts of it.
   *
   * @param closedLater has Micronaut close what the source of policies needs after the Weir
   */
  @Singleton
  @Bean(preDestroy = "close")
  @Requires(missingBeans = Weir.class)
  Weir weir(
      BeanContext beans, Environment environment, BeanProvider<PolicySourceProvider> closedLater) {
    return ofApplication(
        environment.getClassLoader(),
        () -> {
          WeirBuilder builder = Weir.builder().liveSettings(new EnvironmentSettings(environment));
          new BeanParts(beans).addTo(builder);
          beans.streamOfType(WeirBuilderCustomizer.class).forEach(each -> each.customize(builder));
          return builder.build();
        });
  }

  /** Opens the adapter that the limits of requests and of methods share. */
  @Singleton
  @Bean(preDestroy = "close")
  Adapter adapter(Weir weir, BeanContext beans) {
    ClassLoader loader = beans.getClassLoader();
    return ofApplication(
        loader,
        () ->
            Weir.adapter(
                AdapterOptions.defaults().withClassLoader(loader).withWeir(weir.install())));
  }

  /** Calls with the class loader of the application as that of the thread. */
  private static <T> T ofApplication(ClassLoader loader, Supplier<T> task) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return task.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
