package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.adapter.Adapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** The settings of an application are those of its environment, now and later. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class SettingsOfApplicationTest {
  @TempDir Path directory;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  static class Application {}

  @Test
  void filesProfilesAndArguments() throws IOException {
    Files.writeString(
        directory.resolve("application.yaml"),
        "weir:\n  headers: none\n  zone: Europe/Rome\n  secret: plain\n");
    Files.writeString(
        directory.resolve("application-blue.yaml"),
        "weir.zone: Europe/Berlin\nweir.secret: blue\n");
    try (ConfigurableApplicationContext context =
        Applications.start(
            Application.class,
            "spring.config.location=" + directory.toUri(),
            "spring.profiles.active=blue",
            "weir.secret=argument")) {
      Adapter adapter = context.getBean(Adapter.class);
      assertEquals("none", adapter.setting("weir.headers"));
      assertEquals("Europe/Berlin", adapter.setting("weir.zone"));
      assertEquals("argument", adapter.setting("weir.secret"));
    }
  }

  @Test
  void aReportedChangeTakesEffectAtOnceAndAnyOtherWithinSeconds() throws Exception {
    Map<String, Object> values = new HashMap<>(Map.of("weir.headers", "none"));
    SpringApplication application = Applications.of(Application.class);
    application.addInitializers(
        context ->
            context
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("changing", values)));
    try (ConfigurableApplicationContext context = application.run()) {
      Adapter adapter = context.getBean(Adapter.class);
      assertEquals("none", adapter.setting("weir.headers"));
      values.put("weir.headers", "ietf");
      context.publishEvent(new EnvironmentChangeEvent(context));
      assertEquals("ietf", adapter.setting("weir.headers"));

      values.put("weir.headers", "both");
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!adapter.setting("weir.headers").equals("both")) {
        assertTrue(System.nanoTime() < end, "not followed");
        Thread.sleep(50);
      }
    }
  }
}
