package io.weir.spring;

import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.KeyResolver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

/**
 * Starts an application with Spring Cloud, changes its file, and refreshes it as Spring Cloud Bus
 * does. The types of Spring Cloud are known by name, since only this process has them.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(WeirAutoConfiguration.class)
public class CloudMain {
  private static final String CLOUD = "org.springframework.cloud.";

  /** Spring makes it. */
  public CloudMain() {}

  /** A part that each refresh makes anew. */
  @Bean
  @Scope(scopeName = "refresh", proxyMode = ScopedProxyMode.INTERFACES)
  KeyResolver tenant() {
    return request -> Optional.of("anybody");
  }

  /** Refers to the part. */
  static class ByTenant {
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "tenant")
    public void limited() {}
  }

  /**
   * Starts it, and prints a setting before and after the refresh.
   *
   * @param arguments the directory of the application's file
   */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    Path file = Path.of(arguments[0], "application.properties");
    Files.writeString(file, "weir.headers=none");
    try (ConfigurableApplicationContext context =
        Applications.of(
                CloudMain.class,
                Class.forName(CLOUD + "autoconfigure.RefreshAutoConfiguration"),
                Class.forName(
                    CLOUD + "autoconfigure.ConfigurationPropertiesRebinderAutoConfiguration"))
            .run("--spring.config.location=" + Path.of(arguments[0]).toUri())) {
      Adapter adapter = context.getBean(Adapter.class);
      adapter.check(List.of(ByTenant.class), EndpointType.METHOD);
      System.out.println("before: " + adapter.setting("weir.headers"));
      Files.writeString(file, "weir.headers=ietf");
      context.publishEvent(
          Class.forName(CLOUD + "endpoint.event.RefreshEvent")
              .asSubclass(ApplicationEvent.class)
              .getConstructor(Object.class, Object.class, String.class)
              .newInstance(context, null, "the file has changed"));
      System.out.println("after: " + adapter.setting("weir.headers"));
    }
  }
}
