package io.weir.quarkus;

import io.quarkus.arc.DefaultBean;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Makes the {@link Weir} of the application, of its configuration and its beans, unless the
 * application has one as a bean, and the one {@link Adapter} that everything in it shares.
 */
@Singleton
public class WeirBeans {
  /** Called by Quarkus. */
  public WeirBeans() {}

  /**
   * Makes the Weir of the application.
   *
   * @return closed with the application
   */
  @Produces
  @Singleton
  @DefaultBean
  Weir weir() {
    WeirBuilder builder =
        Weir.builder().liveSettings(new ApplicationName(ConfigProvider.getConfig()));
    new BeanParts().addTo(builder);
    BeanParts.customize(builder);
    return builder.build();
  }

  /**
   * Closes what {@link #weir} has made.
   *
   * @param weir the application's
   */
  void close(@Disposes Weir weir) {
    weir.close();
  }

  /**
   * Opens the adapter.
   *
   * @param weir the application's
   * @return closed when the application ends
   */
  @Produces
  @Singleton
  @DefaultBean
  Adapter adapter(Weir weir) {
    return Weir.adapter(
        AdapterOptions.defaults()
            .withClassLoader(Thread.currentThread().getContextClassLoader())
            .withWeir(weir.install()));
  }
}
