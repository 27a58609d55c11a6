package io.weir.spring;

import java.util.Arrays;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts applications without a web server. */
final class Applications {
  private Applications() {}

  /** Makes an application that reads no files but those that are named. */
  static SpringApplication of(Class<?>... sources) {
    SpringApplication application = new SpringApplication(sources);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setBannerMode(Banner.Mode.OFF);
    application.setRegisterShutdownHook(false);
    application.setLogStartupInfo(false);
    return application;
  }

  /**
   * Starts an application.
   *
   * @param source its configuration
   * @param settings each is {@code name=value}
   */
  static ConfigurableApplicationContext start(Class<?> source, String... settings) {
    return of(source).run(arguments(settings));
  }

  static String[] arguments(String... settings) {
    return Arrays.stream(settings).map(each -> "--" + each).toArray(String[]::new);
  }
}
