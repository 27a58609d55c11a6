package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
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

/** A Weir lives as long as its context, and no longer. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class ContextLifeTest {
  private static final Policy ONE =
      Policy.builder("one").limit(1).window(Duration.ofMinutes(1)).build();

  /** The Weir of the start that failed. */
  private static Weir failed;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class Failing {
    @Bean
    StartCheck failing(Weir weir) {
      return () -> {
        failed = weir;
        throw new IllegalStateException("this start fails");
      };
    }
  }

  private static boolean isOpen(Weir weir) {
    Decision decision = weir.limiter().tryAcquire(ONE, Key.of("probe"));
    return decision.reason() != Reason.STORE_UNAVAILABLE;
  }

  private static void assertCleared(WeakReference<?> reference) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (reference.get() != null) {
      assertTrue(System.nanoTime() < end, "still in memory");
      System.gc();
      Thread.sleep(50);
    }
    assertNull(reference.get());
  }

  @Test
  void isClosedWithTheContext() {
    ConfigurableApplicationContext context = Applications.start(Application.class);
    Weir weir = context.getBean(Weir.class);
    assertTrue(isOpen(weir));
    context.close();
    assertFalse(isOpen(weir));
  }

  @Test
  void twoContextsOfOneClassLoaderShareNothing() {
    try (ConfigurableApplicationContext one =
            Applications.start(Application.class, "weir.headers=none");
        ConfigurableApplicationContext other =
            Applications.start(Application.class, "weir.headers=ietf")) {
      Weir first = one.getBean(Weir.class);
      Weir second = other.getBean(Weir.class);
      assertNotSame(first, second);
      assertTrue(first.limiter().tryAcquire(ONE, Key.of("a")).admitted());
      assertTrue(second.limiter().tryAcquire(ONE, Key.of("a")).admitted());
      assertEquals("none", one.getBean(Adapter.class).setting("weir.headers"));
      assertEquals("ietf", other.getBean(Adapter.class).setting("weir.headers"));
      one.close();
      assertFalse(isOpen(first));
      assertTrue(isOpen(second));
    }
  }

  @Test
  void aChildContextUsesTheWeirOfItsParentAndLeavesItOpen() {
    try (ConfigurableApplicationContext parent = Applications.start(Application.class)) {
      Weir weir = parent.getBean(Weir.class);
      ConfigurableApplicationContext child =
          new SpringApplicationBuilder(Application.class)
              .web(WebApplicationType.NONE)
              .bannerMode(Banner.Mode.OFF)
              .parent(parent)
              .run();
      assertSame(weir, child.getBean(Weir.class));
      assertSame(parent.getBean(Adapter.class), child.getBean(Adapter.class));
      child.close();
      assertTrue(isOpen(weir));
    }
  }

  @Test
  void isMadeAtTheStartWhereBeansAreLazy() {
    try (ConfigurableApplicationContext context =
        Applications.start(Application.class, "spring.main.lazy-initialization=true")) {
      assertTrue(context.getBeanFactory().containsSingleton("weir"));
      assertThrows(
          RuntimeException.class,
          () ->
              Applications.start(
                  Application.class, "spring.main.lazy-initialization=true", "weir.headers=wrong"));
    }
  }

  @Test
  void aStartThatFailsLeavesNothingOpen() {
    assertThrows(IllegalStateException.class, () -> Applications.start(Failing.class));
    assertFalse(isOpen(failed));
    failed = null;
  }

  @Test
  void aClosedContextIsCollected() throws Exception {
    ConfigurableApplicationContext context = Applications.start(Application.class);
    WeakReference<?> weir = new WeakReference<>(context.getBean(Weir.class));
    WeakReference<?> reference = new WeakReference<>(context);
    context.close();
    context = null;
    assertCleared(reference);
    assertCleared(weir);
  }

  /** In a process that forgets at once what only soft references keep, as Spring's caches do. */
  @Test
  void restartsInClassLoadersOfTheirOwnLeaveNone() throws Exception {
    String output =
        JavaProcess.run(
            JavaProcess.classPath(),
            List.of("-XX:SoftRefLRUPolicyMSPerMB=0"),
            RestartsMain.class.getName());
    assertTrue(output.contains("all gone"), output);
  }
}
