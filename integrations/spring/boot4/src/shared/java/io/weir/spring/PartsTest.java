package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.web.context.request.RequestScope;

/** The beans of an application are the parts of its Weir. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class PartsTest {
  private static final Policy ONE =
      Policy.builder("one").limit(1).window(Duration.ofMinutes(1)).build();

  static class Named implements KeyResolver {
    @Override
    public Optional<String> resolve(RequestInfo request) {
      return Optional.of("anybody");
    }

    @Override
    public String name() {
      return "tenant";
    }
  }

  static class Limited {
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "tenant")
    public void byItsOwnName() {}

    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "theTenant", costFrom = "size")
    public void byTheNameOfTheBean() {}

    @RateLimit(limit = 1, window = 60, when = "first")
    public void onCondition() {}
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  static class Application {}

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithParts {
    @Bean
    FakeTicker time() {
      return new FakeTicker();
    }

    @Bean
    Named theTenant() {
      return new Named();
    }

    @Bean
    CostResolver size() {
      return request -> OptionalLong.of(1);
    }

    @Bean
    RequestCondition first() {
      return request -> true;
    }

    @Bean
    PeerAddress peer() {
      return request -> Optional.of("192.0.2.1");
    }
  }

  static class ByTenant {
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "tenant")
    public void byItsOwnName() {}

    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "theTenant")
    public void byTheNameOfTheBean() {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithScopedPart {
    @Bean
    @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Named theTenant() {
      return new Named();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithPartOfARequest {
    @Bean
    static CustomScopeConfigurer scopes() {
      CustomScopeConfigurer scopes = new CustomScopeConfigurer();
      scopes.addScope("request", new RequestScope());
      return scopes;
    }

    @Bean
    @Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Named theTenant() {
      return new Named();
    }
  }

  static class ByBeanName {
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "theTenant")
    public void limited() {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithWeir {
    @Bean
    FakeTicker time() {
      return new FakeTicker();
    }

    @Bean
    Weir mine(Ticker ticker) {
      return Weir.builder().onlyGivenSettings().ticker(ticker).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class WithCustomizer {
    @Bean
    WeirBuilderCustomizer last() {
      return builder -> builder.settings(Map.of("weir.headers", "none"));
    }
  }

  @Test
  void tickerPeerAndNamedParts() {
    try (ConfigurableApplicationContext context = Applications.start(WithParts.class)) {
      Weir weir = context.getBean(Weir.class);
      Adapter adapter = context.getBean(Adapter.class);
      assertSame(weir, adapter.weir());
      assertEquals(Optional.of("192.0.2.1"), adapter.peer(new Object()));
      adapter.check(List.of(Limited.class), EndpointType.METHOD); // its names are known
      FakeTicker ticker = context.getBean(FakeTicker.class);
      assertTrue(weir.limiter().tryAcquire(ONE, Key.of("a")).admitted());
      Decision refused = weir.limiter().tryAcquire(ONE, Key.of("a"));
      assertFalse(refused.admitted());
      ticker.advance(refused.retryAfter());
      assertTrue(weir.limiter().tryAcquire(ONE, Key.of("a")).admitted());
    }
  }

  @Test
  void aScopedPartIsItsProxyAlone() {
    try (ConfigurableApplicationContext context = Applications.start(WithScopedPart.class)) {
      context.getBean(Adapter.class).check(List.of(ByTenant.class), EndpointType.METHOD);
    }
  }

  @Test
  void aPartOfARequestIsFoundByTheNameOfItsBean() {
    try (ConfigurableApplicationContext context = Applications.start(WithPartOfARequest.class)) {
      context.getBean(Adapter.class).check(List.of(ByBeanName.class), EndpointType.METHOD);
    }
  }

  @Test
  void theWeirOfTheApplicationGoesFirst() {
    try (ConfigurableApplicationContext context =
        Applications.start(WithWeir.class, "weir.headers=none")) {
      assertEquals(List.of("mine"), List.of(context.getBeanNamesForType(Weir.class)));
      Adapter adapter = context.getBean(Adapter.class);
      assertSame(context.getBean("mine"), adapter.weir());
      assertEquals("", adapter.setting("weir.headers"));
    }
  }

  @Test
  void aCustomizerIsAskedLast() {
    try (ConfigurableApplicationContext context =
        Applications.start(WithCustomizer.class, "weir.headers=both")) {
      assertEquals("none", context.getBean(Adapter.class).setting("weir.headers"));
    }
  }

  /** Each single part reaches the builder; its destruction waits for that of the Weir. */
  @Test
  void everyPartIsGivenAndOutlivesTheWeir() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    Map<Class<?>, Object> parts = new LinkedHashMap<>();
    parts.put(Ticker.class, new FakeTicker());
    for (Class<?> part :
        List.of(
            TierResolver.class,
            LoadSensor.class,
            PeerAddress.class,
            UserNames.class,
            RefusalBody.class,
            DecisionMetrics.class,
            DecisionTracing.class,
            PolicySource.class,
            PermitStore.class)) {
      parts.put(part, any(part));
    }
    parts.forEach((type, part) -> beans.registerSingleton(type.getSimpleName(), part));
    Map<String, Object> given = new LinkedHashMap<>();
    WeirBuilder builder =
        (WeirBuilder)
            Proxy.newProxyInstance(
                PartsTest.class.getClassLoader(),
                new Class<?>[] {WeirBuilder.class},
                (proxy, method, arguments) -> {
                  given.put(method.getName(), arguments[arguments.length - 1]);
                  return proxy;
                });
    new BeanParts(beans, "weir").addTo(builder);
    assertEquals(
        List.of(
            "ticker",
            "tierResolver",
            "loadSensor",
            "peerAddress",
            "userNames",
            "refusalBody",
            "metrics",
            "tracing",
            "policySource",
            "store"),
        List.copyOf(given.keySet()));
    Object names = given.put("userNames", parts.get(UserNames.class));
    assertInstanceOf(SpringUserNames.class, names, "with the issuers of Spring Security");
    assertEquals(List.copyOf(parts.values()), List.copyOf(given.values()));
    for (Class<?> part : parts.keySet()) {
      assertEquals(
          List.of("weir"), List.of(beans.getDependentBeans(part.getSimpleName())), part.getName());
    }
  }

  private static Object any(Class<?> part) {
    return Proxy.newProxyInstance(
        PartsTest.class.getClassLoader(),
        new Class<?>[] {part},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "equals" -> proxy == arguments[0];
              case "hashCode" -> System.identityHashCode(proxy);
              case "toString" -> part.getSimpleName();
              default -> null;
            });
  }
}
