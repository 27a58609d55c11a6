package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.guides.GreetingController;
import org.springframework.samples.petclinic.OwnerController;
import org.springframework.samples.petclinic.OwnerJob;
import org.springframework.samples.petclinic.OwnerService;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Reads the annotations of handlers when an application starts. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MvcStartTest {
  @RestController
  static class Wrong {
    @GetMapping("/wrong")
    @RateLimit(limit = 0, window = 60, by = By.IP, name = "wrong")
    String wrong() {
      return "wrong";
    }
  }

  @RestController
  @RateLimit(limit = 5, window = 0, by = By.IP, name = "wrong-class")
  static class WrongToo {
    @GetMapping("/wrong-too")
    String wrong() {
      return "wrong";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Wrong.class, WrongToo.class})
  static class Mistakes {}

  @Test
  void reportsAllMistakesInOneMessage() {
    RuntimeException failure =
        assertThrows(
            RuntimeException.class,
            () ->
                MvcServer.start(List.of(MvcApplication.class, OpenSecurity.class, Mistakes.class))
                    .close());
    Throwable cause = failure;
    while (!(cause instanceof InvalidPolicyException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    assertTrue(message.contains("Wrong#wrong") || message.contains("Wrong.wrong"), message);
    assertTrue(message.contains("WrongToo"), message);
    assertFalse(message.contains("$$"), message);
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface Advised {}

  @Advised
  @RestController
  static class Proxied {
    @GetMapping("/proxied")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "proxied")
    public String proxied() {
      return "proxied";
    }

    @GetMapping("/proxied-default")
    public String unlimited() {
      return "default";
    }
  }

  /** Found by its interface, since a JDK proxy has nothing else. */
  @RestController
  interface ByInterface {
    @GetMapping("/by-interface")
    String get();
  }

  @Advised
  static class ImplementsInterface implements ByInterface {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "by-interface")
    public String get() {
      return "by-interface";
    }
  }

  @RestController
  @Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
  static class Scoped {
    @GetMapping("/scoped")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "scoped")
    public String scoped() {
      return "scoped";
    }
  }

  @RestController
  @Scope("prototype")
  static class Prototype {
    @GetMapping("/prototype")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "prototype")
    public String prototype() {
      return "prototype";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Proxied.class, ImplementsInterface.class, Scoped.class, Prototype.class})
  static class Proxies {
    @Bean
    static DefaultAdvisorAutoProxyCreator proxies() {
      DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
      // A second proxy around that of the limits, by Spring's own rules, would be one by
      // interfaces.
      creator.setUsePrefix(true);
      creator.setAdvisorBeanNamePrefix("of-test.");
      return creator;
    }

    @Bean("of-test.advisor")
    Advisor advisor() {
      return new DefaultPointcutAdvisor(
          AnnotationMatchingPointcut.forClassAnnotation(Advised.class),
          (MethodInterceptor) invocation -> invocation.proceed());
    }
  }

  @Test
  void readsHandlersAsTheyAreWritten() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(MvcApplication.class, OpenSecurity.class, Proxies.class),
            "spring.aop.proxy-target-class=false",
            "weir.default.limit=2",
            "weir.default.window=1m")) {
      assertTrue(AopUtils.isCglibProxy(server.context().getBean(Proxied.class)));
      assertTrue(AopUtils.isJdkDynamicProxy(server.context().getBean(ByInterface.class)));
      for (String path :
          List.of(
              "/proxied", "/by-interface", "/scoped", "/prototype", "/proxied-default", "/free")) {
        assertEquals(List.of(200, 200, 429), server.statuses(3, path, MvcContract.caller()), path);
      }
      String table = server.context().getBean(Weir.class).table();
      assertTrue(table.contains("default.Proxied.unlimited-"), table);
      assertFalse(table.contains("$$"), table);
      assertFalse(table.contains("default.BasicErrorController"), table);
    }
  }

  @Test
  void limitsApplicationsInPackagesBelowThoseOfSpring() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(
                MvcApplication.class,
                OpenSecurity.class,
                OwnerController.class,
                OwnerService.class,
                OwnerJob.class,
                GreetingController.class),
            "weir.default.limit=2",
            "weir.default.window=1m")) {
      for (String path : List.of("/owners", "/owners/default", "/owners/found", "/greeting")) {
        assertEquals(List.of(200, 200, 429), server.statuses(3, path, MvcContract.caller()), path);
      }
      OwnerJob job = server.context().getBean(OwnerJob.class);
      assertThrows(RateLimitExceededException.class, job::run);
    }
  }

  @Test
  void startsWithLazyBeans() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            List.of(MvcApplication.class, OpenSecurity.class),
            "spring.main.lazy-initialization=true")) {
      assertEquals(List.of(200, 200, 200, 429), server.statuses(4, "/ip", MvcContract.caller()));
      assertEquals(List.of(200, 200, 429), server.statuses(3, "/calls", MvcContract.caller()));
    }
  }

  @Test
  void limitsOnVirtualThreadsWhereTheyExist() throws Exception {
    // Before Java 21 the setting has no effect, and the same holds on platform threads.
    try (MvcServer server =
        MvcServer.start(
            List.of(MvcApplication.class, OpenSecurity.class),
            "spring.threads.virtual.enabled=true")) {
      for (String path : List.of("/ip", "/callable", "/deferred", "/streaming")) {
        assertEquals(
            List.of(200, 200, 200, 429), server.statuses(4, path, MvcContract.caller()), path);
      }
      assertEquals(
          List.of(200, 200, 429), server.statuses(3, "/calls/callable", MvcContract.caller()));
    }
  }
}
