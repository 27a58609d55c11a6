package io.weir.spring.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.metrics.DecisionCounts;
import io.weir.spi.DecisionMetrics;
import io.weir.spring.WeirAutoConfiguration;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Tests into which registry Weir measures, and how often. */
class MeterRegistryTest {
  private static final Policy POLICY =
      Policy.builder("once").limit(5).window(Duration.ofMinutes(1)).build();

  private final SimpleMeterRegistry global = new SimpleMeterRegistry();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  WeirAutoConfiguration.class, WeirMetricsAutoConfiguration.class));

  @BeforeEach
  void add() {
    Metrics.addRegistry(global);
  }

  @AfterEach
  void remove() {
    Metrics.removeRegistry(global);
    Metrics.globalRegistry.clear();
  }

  private static void decide(ApplicationContext context) {
    context.getBean(Weir.class).limiter().tryAcquire(POLICY, Key.of("caller"));
  }

  private static double counted(MeterRegistry registry) {
    Counter counter = registry.find("weir.decisions").tag("policy", "once").counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void measuresOnceIntoTheBean() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    runner
        .withBean(MeterRegistry.class, () -> registry)
        .run(
            context -> {
              decide(context);
              assertEquals(1, counted(registry));
              assertEquals(0, counted(global), "the global registry isn't used beside it");
              assertNotNull(registry.find("weir.buckets").gauge());
            });
    assertNull(registry.find("weir.buckets").gauge(), "closed with the context");
  }

  @Test
  void measuresIntoTheGlobalRegistryWithoutABean() {
    runner.run(
        context -> {
          SimpleMeterRegistry late = new SimpleMeterRegistry();
          Metrics.addRegistry(late);
          try {
            decide(context);
            assertEquals(1, counted(global));
            assertEquals(1, counted(late), "a registry that is added late");
          } finally {
            Metrics.removeRegistry(late);
          }
        });
  }

  @Test
  void measuresIntoAllOfSeveralBeans() {
    SimpleMeterRegistry one = new SimpleMeterRegistry();
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    runner
        .withBean("one", MeterRegistry.class, () -> one)
        .withBean("other", MeterRegistry.class, () -> other)
        .run(
            context -> {
              decide(context);
              assertEquals(1, counted(one));
              assertEquals(1, counted(other));
            });
  }

  @Test
  void measuresOnceThroughAPrimaryComposite() {
    runner
        .withUserConfiguration(Composite.class)
        .run(
            context -> {
              SimpleMeterRegistry late = new SimpleMeterRegistry();
              context.getBean(CompositeMeterRegistry.class).add(late);
              decide(context);
              assertEquals(1, counted(context.getBean(SimpleMeterRegistry.class)));
              assertEquals(1, counted(late), "a registry that is added late");
            });
  }

  /** A registry, and a composite that has it. */
  @Configuration(proxyBeanMethods = false)
  static class Composite {
    @Bean
    SimpleMeterRegistry simple() {
      return new SimpleMeterRegistry();
    }

    @Bean
    @Primary
    CompositeMeterRegistry all(SimpleMeterRegistry simple) {
      CompositeMeterRegistry all = new CompositeMeterRegistry();
      all.add(simple);
      return all;
    }
  }

  @Test
  void leavesMetricsOfTheApplicationAlone() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    DecisionCounts counts = new DecisionCounts();
    runner
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(DecisionMetrics.class, () -> counts)
        .run(
            context -> {
              decide(context);
              assertEquals(0, counted(registry));
              assertEquals(1, counts.snapshot().size());
            });
  }

  @Test
  void leavesAWeirOfTheApplicationAlone() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SimpleMeterRegistry own = new SimpleMeterRegistry();
    runner
        .withBean(MeterRegistry.class, () -> registry)
        .withBean(
            Weir.class,
            () -> Weir.builder().metrics(new io.weir.metrics.MicrometerMetrics(own)).build())
        .run(
            context -> {
              decide(context);
              assertEquals(0, counted(registry));
              assertEquals(1, counted(own));
            });
  }

  /** Weir is made before the post-processor that sets up registries, since an advice needs it. */
  @Test
  void aWeirThatIsMadeEarlyMeasuresIntoARegistryThatIsSetUp() {
    runner
        .withUserConfiguration(Early.class)
        .run(
            context -> {
              decide(context);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              Counter counter = registry.find("weir.decisions").tag("node", "a").counter();
              assertNotNull(counter, "the tag of the post-processor");
              assertEquals(1, counter.count());
              assertNotNull(registry.find("weir.buckets").gauge());
            });
  }

  /** A post-processor that needs Weir, and a later one that sets up registries. */
  @Configuration(proxyBeanMethods = false)
  static class Early {
    @Bean
    static BeanPostProcessor advice(Weir weir) {
      AtomicReference<Weir> kept = new AtomicReference<>(weir);
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          assertNotNull(kept.get());
          return bean;
        }
      };
    }

    @Bean
    static BeanPostProcessor tags() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (bean instanceof MeterRegistry registry) {
            registry.config().commonTags("node", "a");
          }
          return bean;
        }
      };
    }

    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Test
  void findsTheRegistryOfLazyBeans() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    runner
        .withBean(MeterRegistry.class, () -> registry)
        .withPropertyValues("spring.main.lazy-initialization=true")
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new org.springframework.boot.LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              decide(context);
              assertEquals(1, counted(registry));
            });
  }
}
