package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Spring Boot prints one report of all mistakes. */
@ExtendWith(OutputCaptureExtension.class)
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MistakesReportTest {
  @TempDir Path directory;

  interface Soon {
    @RateLimit(limit = 1, window = -5)
    @RateLimit(limit = 9, window = 60, name = "minute")
    void soon();
  }

  static class Wrong {
    @RateLimit(limit = 0, window = 60)
    public void none() {}
  }

  static class WrongByInterface implements Soon {
    @Override
    public void soon() {}
  }

  static class AlsoWrong {
    @RateLimit(limit = -1, window = 60)
    public void less() {}
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  @Import({Application.class, Wrong.class, WrongByInterface.class})
  static class WithWrongBean {}

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithChecks {
    @Bean
    StartCheck first(Adapter adapter) {
      return () -> adapter.check(List.of(Wrong.class, WrongByInterface.class), EndpointType.METHOD);
    }

    @Bean
    StartCheck second(Adapter adapter) {
      return () -> adapter.check(List.of(AlsoWrong.class), EndpointType.METHOD);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithTwoResolvers {
    @Bean
    TierResolver plans() {
      return (request, policy) -> CallerTier.none();
    }

    @Bean
    TierResolver contracts() {
      return (request, policy) -> CallerTier.none();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(WithTwoResolvers.class)
  static class WithPrimary {
    @Bean
    @Primary
    TierResolver third() {
      return (request, policy) -> CallerTier.none();
    }
  }

  private static void assertContains(CapturedOutput output, String... parts) {
    for (String part : parts) {
      assertTrue(output.getAll().contains(part), () -> part + " isn't in: " + output.getAll());
    }
  }

  @Test
  void mistakesOfSettingsWithTheirLinesAndThoseOfAnnotations(CapturedOutput output)
      throws Exception {
    Files.writeString(
        directory.resolve("application.yaml"),
        """
        weir:
          headers: all
          polcy:
            search:
              limit: 5
          store:
            redis:
              verify_host: true
            spring:
              user: me
        """);
    assertThrows(
        RuntimeException.class,
        () ->
            Applications.start(WithWrongBean.class, "spring.config.location=" + directory.toUri()));
    assertContains(
        output,
        "APPLICATION FAILED TO START",
        "Weir found 6 mistakes:",
        "weir.headers = 'all' (",
        "application.yaml] - 2:12)",
        "weir.polcy.search.limit = '5' (",
        "application.yaml] - 5:14): unknown setting",
        "weir.store.redis.verify_host = 'true' (",
        "application.yaml] - 8:20): unknown setting; did you mean weir.store.redis.verify-host?",
        "weir.store.spring.user = 'me' (",
        "limit = 0",
        "window = -5",
        "Correct the settings, and correct the annotations.");
  }

  /** The environment has the system properties, which a Weir reads by itself as well. */
  @Test
  void aMistakeInASystemPropertyOnce(CapturedOutput output) {
    System.setProperty("weir.headers", "all");
    try {
      assertThrows(RuntimeException.class, () -> Applications.start(Application.class));
    } finally {
      System.clearProperty("weir.headers");
    }
    assertContains(output, "Weir found 1 mistake:", "weir.headers = 'all' (systemProperties)");
  }

  @Test
  void mistakesThatAllAdaptersFind(CapturedOutput output) {
    assertThrows(InvalidPolicyException.class, () -> Applications.start(WithChecks.class));
    assertContains(
        output, "Weir found 3 mistakes:", "limit = 0", "window = -5", "limit = -1", "Annotations:");
  }

  @Test
  void twoBeansOfOnePart(CapturedOutput output) {
    assertThrows(RuntimeException.class, () -> Applications.start(WithTwoResolvers.class));
    assertContains(
        output,
        "TierResolver: Weir uses only one bean of this type, but there are several: contracts,"
            + " plans");
    Applications.start(WithPrimary.class).close();
  }
}
