package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Weir;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.spring.metrics.WeirMetricsAutoConfiguration;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Contexts of one process that are nodes of two regions, each on a Redis: reports end with their
 * context, and so do their threads, connections and meters. What regions count, {@code
 * RegionsInUseTest} and {@code RegionsOnRedisTest} try in every build.
 */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class RegionsLifeTest {
  private static final Policy POLICY =
      Policy.builder("regions").limit(100).window(Duration.ofDays(1)).build();
  private static final Key WHO = Key.user("alice");

  /** One for all contexts, as where an application has its own for several. */
  private static final MeterRegistry METERS = new SimpleMeterRegistry();

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({WeirAutoConfiguration.class, WeirMetricsAutoConfiguration.class})
  static class Application {
    @Bean(destroyMethod = "")
    MeterRegistry meters() {
      return METERS;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class Failing {
    @Bean
    StartCheck failing(Weir weir) {
      return () -> {
        throw new IllegalStateException("this start fails, with " + weir.regions());
      };
    }
  }

  private final Set<Thread> before = threads();
  private final RedisServer ours = RedisServer.start();
  private final RedisServer theirs = RedisServer.start();

  @AfterEach
  void close() {
    ours.close();
    theirs.close();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith("weir"))
        .collect(Collectors.toSet());
  }

  private static String[] settings(String region, RedisServer own, String other, RedisServer its) {
    return new String[] {
      "weir.region=" + region,
      "weir.store=" + own.url(),
      "weir.store.timeout=5s",
      "weir.secret=a secret of all regions",
      "weir.regions.interval=100ms",
      "weir.write-back.leases-for-slow-callers=false", // all that is left is free
      "weir.region." + other + ".store=" + its.url(),
      "weir.region." + other + ".store.timeout=2s"
    };
  }

  private ConfigurableApplicationContext eu(Class<?> application) {
    return Applications.start(application, settings("eu", ours, "us", theirs));
  }

  private ConfigurableApplicationContext us() {
    return Applications.start(Application.class, settings("us", theirs, "eu", ours));
  }

  private static Weir weir(ConfigurableApplicationContext context) {
    return context.getBean(Weir.class);
  }

  private static void use(ConfigurableApplicationContext node, int permits) {
    assertTrue(weir(node).limiter().tryAcquire(POLICY, WHO, permits).admitted());
  }

  private static void awaitLeft(ConfigurableApplicationContext node, long left) {
    Await.until(
        left + " are left", () -> weir(node).limiter().peek(POLICY, WHO).remaining() == left);
  }

  private static RegionStatus other(ConfigurableApplicationContext node) {
    return weir(node).regions().get(1);
  }

  private static void awaitHeard(ConfigurableApplicationContext node) {
    Await.until(
        "both hear of each other",
        () -> other(node).reported().isPresent() && other(node).heard().isPresent());
  }

  private void assertNothingIsLeft() {
    Await.until("no thread is left: " + threads(), () -> before.containsAll(threads()));
    for (RedisServer each : new RedisServer[] {ours, theirs}) {
      Await.until(
          "only the one who asks is connected",
          () -> each.ask("INFO", "clients").contains("connected_clients:1\r\n"));
    }
    assertEquals(0, meters());
  }

  private static long meters() {
    return METERS.getMeters().stream()
        .filter(each -> each.getId().getName().startsWith("weir.region"))
        .count();
  }

  @Test
  void twoContextsAreTwoRegionsAndLeaveNothing() {
    try (ConfigurableApplicationContext us = us()) {
      ConfigurableApplicationContext eu = eu(Application.class);
      awaitHeard(us);
      awaitHeard(eu);
      use(eu, 30);
      use(us, 20);
      awaitLeft(eu, 50);
      awaitLeft(us, 50);
      assertEquals(2 * 6, meters());
      use(eu, 5);
      eu.close(); // which reports it
      assertEquals(45, weir(us).limiter().peek(POLICY, WHO).remaining());
      assertEquals(6, meters());
      try (ConfigurableApplicationContext next = eu(Application.class)) {
        awaitHeard(next);
        use(next, 5);
        awaitLeft(us, 40);
        assertEquals(2 * 6, meters());
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void aChildContextLeavesTheReportsOfItsParentAlone() {
    try (ConfigurableApplicationContext us = us();
        ConfigurableApplicationContext parent = eu(Application.class)) {
      ConfigurableApplicationContext child =
          new SpringApplicationBuilder(Application.class)
              .web(WebApplicationType.NONE)
              .bannerMode(Banner.Mode.OFF)
              .parent(parent)
              .run();
      assertSame(weir(parent), weir(child));
      use(child, 10);
      awaitLeft(us, 90);
      assertEquals(2 * 6, meters());
      child.close();
      use(parent, 10);
      awaitLeft(us, 80);
      assertEquals(2 * 6, meters());
    }
    assertNothingIsLeft();
  }

  @Test
  void restartsWhileTheOtherRegionIsAway() {
    us().close(); // its mark stays
    try (LogLines log = new LogLines("io.weir")) {
      ConfigurableApplicationContext first = eu(Application.class);
      Await.until("it reports", () -> other(first).reported().isPresent());
      theirs.pause();
      use(first, 10);
      Await.until("it is missed", () -> other(first).isCutOff());
      assertEquals(1.0, METERS.get("weir.region.away").tag("region", "us").gauge().value());
      long began = System.nanoTime();
      first.close();
      long took = System.nanoTime() - began;
      assertTrue(took < Duration.ofMinutes(2).toNanos(), "it took " + Duration.ofNanos(took));
      assertEquals(0, meters());
      Await.until("no thread is left", () -> before.containsAll(threads()));
      try (ConfigurableApplicationContext next = eu(Application.class)) {
        assertFalse(other(next).isCutOff());
        assertEquals(0.0, METERS.get("weir.region.away").tag("region", "us").gauge().value());
        use(next, 5);
        theirs.resume();
        Await.until("it reports", () -> other(next).unreported() == 0);
        try (ConfigurableApplicationContext us = us()) {
          awaitHeard(next);
          assertFalse(other(next).isCutOff());
          long left = weir(us).limiter().peek(POLICY, WHO).remaining();
          assertTrue(
              left >= 100 - 2 * 15 && left <= 95, "what the first sent may come late: " + left);
        }
      }
      assertEquals(0, log.errors().size(), () -> log.errors().toString());
    }
    assertNothingIsLeft();
  }

  /** As the devtools restart it, and while the other region stands still. */
  @Test
  void restartsInClassLoadersOfTheirOwnLeaveNone() throws Exception {
    us().close();
    theirs.pause();
    List<String> options = new ArrayList<>(List.of("-XX:SoftRefLRUPolicyMSPerMB=0"));
    for (String each : settings("eu", ours, "us", theirs)) {
      options.add("-D" + each);
    }
    String output = JavaProcess.run(JavaProcess.classPath(), options, RestartsMain.class.getName());
    assertTrue(output.contains("all gone"), output);
    theirs.resume();
    assertNothingIsLeft();
  }

  @Test
  void aStartThatFailsLeavesNothing() {
    String mistake =
        assertThrows(IllegalStateException.class, () -> eu(Failing.class)).getMessage();
    assertTrue(mistake.contains("this start fails, with [RegionStatus[name=eu"), mistake);
    assertNothingIsLeft();
  }
}
