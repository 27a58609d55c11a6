package io.weir.spring.method;

import io.weir.RateLimitExceededException;
import io.weir.spring.WeirAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Starts applications without a web server, with Weir's limits of methods. */
final class Contexts {
  private Contexts() {}

  static AutoConfigurations configurations() {
    return AutoConfigurations.of(
        AopAutoConfiguration.class,
        WeirAutoConfiguration.class,
        MethodLimitAutoConfiguration.class);
  }

  /** An application whose beans are proxied by class, as Spring Boot does. */
  static ApplicationContextRunner with(Class<?>... configurations) {
    return new ApplicationContextRunner()
        .withConfiguration(configurations())
        .withUserConfiguration(configurations);
  }

  /** An application whose beans are proxied by their interfaces. */
  static ApplicationContextRunner byInterface(Class<?>... configurations) {
    return with(configurations).withPropertyValues("spring.aop.proxy-target-class=false");
  }

  /** Runs a call several times, and returns how often it was admitted. */
  static int admitted(int times, Runnable call) {
    int admitted = 0;
    for (int at = 0; at < times; at++) {
      try {
        call.run();
        admitted++;
      } catch (RateLimitExceededException refused) {
        // counted by what is missing
      }
    }
    return admitted;
  }
}
