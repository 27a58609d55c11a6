package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.DecisionPhase;
import io.weir.spring.SpringEndpoints;
import io.weir.spring.web.WeirWebMvcAutoConfiguration;
import io.weir.testkit.FakeRequest;
import jakarta.servlet.Filter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Controllers, whose handlers a web adapter limits: a proxy of them is for direct calls only. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class ControllerLimitTest {
  @RestController
  static class Alone {
    @GetMapping("/alone")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String get() {
      return "got";
    }
  }

  @RestController
  static class Called {
    @GetMapping("/called")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String get() {
      return "got";
    }
  }

  interface Api {
    @GetMapping("/by-interface")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    String get();
  }

  @RestController
  static class ByInterface implements Api {
    @Override
    public String get() {
      return "got";
    }
  }

  /** Calls two of the controllers, one by its class and one by its interface. */
  static class Job {
    private final Called called;
    private final Api api;

    Job(Called called, Api api) {
      this.called = called;
      this.api = api;
    }

    void run() {
      called.get();
    }

    void runApi() {
      api.get();
    }
  }

  @Controller
  static class Difficult {
    @GetMapping("/private")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    private String hidden() {
      return "got";
    }

    @GetMapping("/final")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public final String get() {
      return hidden();
    }
  }

  static class DifficultJob {
    DifficultJob(Difficult difficult) {}
  }

  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
  @Controller
  static class WithHelper {
    @GetMapping("/with-helper")
    public String get() {
      return helper();
    }

    public String helper() {
      return "helped";
    }

    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT)
    public String limited() {
      return "limited";
    }
  }

  /** Its body does as woven code does. */
  @RestController
  static class Woven {
    private static final LimitedCall WEAVER =
        LimitedCall.of(Woven.class, BeanMethods.of(Woven.class, "get"), List.of());

    @GetMapping("/woven")
    @RateLimit(limit = 5, window = 3600, by = By.ENDPOINT)
    public Object get() throws Throwable {
      return WEAVER.run(new Object[0], () -> "got");
    }
  }

  static class WovenJob {
    private final Woven woven;

    WovenJob(Woven woven) {
      this.woven = woven;
    }

    void run() {
      try {
        woven.get();
      } catch (RuntimeException refused) {
        throw refused;
      } catch (Throwable unexpected) {
        throw new AssertionError(unexpected);
      }
    }
  }

  @Test
  void wovenAdvisedAndFilteredAtOnceIsChargedOnce() {
    Method handler = BeanMethods.of(Woven.class, "get");
    with(Woven.class, WovenJob.class)
        .run(
            context -> {
              assertTrue(AopUtils.isAopProxy(context.getBean(Woven.class)));
              Adapter adapter = context.getBean(Adapter.class);
              for (int at = 0; at < 3; at++) {
                FakeRequest seen = FakeRequest.from("192.0.2.1").method("GET");
                LimitedRequest request = adapter.begin(seen, null);
                request.moveTo(adapter.endpoint(Woven.class, handler, SpringEndpoints.TYPE), seen);
                assertEquals(Optional.empty(), request.decide(DecisionPhase.BEFORE_AUTHENTICATION));
                try (LimitedRequest.Binding unused = request.bind(handler)) {
                  assertEquals("got", context.getBean(Woven.class).get());
                }
                request.completed(200);
              }
              WovenJob job = context.getBean(WovenJob.class);
              assertEquals(2, Contexts.admitted(4, job::run), "each of five calls once");
            });
  }

  private static WebApplicationContextRunner with(Class<?>... types) {
    return new WebApplicationContextRunner()
        .withConfiguration(Contexts.configurations())
        .withConfiguration(AutoConfigurations.of(WeirWebMvcAutoConfiguration.class))
        .withUserConfiguration(types);
  }

  @Test
  void aControllerThatNoBeanNamesIsNotProxied() {
    with(Alone.class)
        .run(context -> assertFalse(AopUtils.isAopProxy(context.getBean(Alone.class))));
  }

  @Test
  void directCallsOfAHandlerCount() {
    with(Alone.class, Called.class, ByInterface.class, Job.class)
        .run(
            context -> {
              assertFalse(AopUtils.isAopProxy(context.getBean(Alone.class)));
              Job job = context.getBean(Job.class);
              assertEquals(2, Contexts.admitted(4, job::run));
              assertEquals(2, Contexts.admitted(4, job::runApi));
            });
  }

  static class AnotherCreator extends DefaultAdvisorAutoProxyCreator {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void aControllerWithTwoProxiesStaysOne() {
    for (boolean byClass : List.of(true, false)) {
      with(Called.class, ByInterface.class, Job.class, AnotherCreator.class)
          .withPropertyValues("spring.aop.proxy-target-class=" + byClass)
          .run(
              context -> {
                assertTrue(AopUtils.isAopProxy(context.getBean(Called.class)));
                Job job = context.getBean(Job.class);
                assertEquals(2, Contexts.admitted(4, job::run));
                assertEquals(2, Contexts.admitted(4, job::runApi));
              });
    }
  }

  @Test
  void aRequestThatAWebAdapterHasChargedIsNotChargedAgain() throws NoSuchMethodException {
    Method handler = Called.class.getMethod("get");
    with(Called.class, ByInterface.class, Job.class)
        .run(
            context -> {
              Adapter adapter = context.getBean(Adapter.class);
              Called called = context.getBean(Called.class);
              for (int at = 0; at < 5; at++) {
                LimitedRequest request = adapter.begin(FakeRequest.from("192.0.2.1"), null);
                request.moveTo(
                    adapter.endpoint(Called.class, handler, SpringEndpoints.TYPE),
                    FakeRequest.from("192.0.2.1"));
                try (LimitedRequest.Binding unused = request.bind(handler)) {
                  assertEquals("got", called.get());
                }
              }
              assertEquals(2, Contexts.admitted(4, called::get), "all of the bucket was left");
            });
  }

  @Test
  void aControllerThatWorksWithoutAProxyOnlyIsLeftAloneAndItsCallersAreNamed() {
    try (CapturedLog log = CapturedLog.of("io.weir.spring.method")) {
      with(Difficult.class, DifficultJob.class)
          .run(
              context -> {
                assertNull(context.getStartupFailure());
                assertFalse(AopUtils.isAopProxy(context.getBean(Difficult.class)));
              });
      assertTrue(
          log.messages().stream()
              .anyMatch(
                  each ->
                      each.startsWith(Difficult.class.getName())
                          && each.contains("not calls by other beans")),
          () -> log.messages().toString());
    }
  }

  /** Has nothing of the web; its class has. */
  interface Greeting {
    String greet();
  }

  @RestController
  static class Greeter implements Greeting {
    @Override
    @GetMapping("/greeting")
    @RateLimit(limit = 2, window = 3600, by = By.IP)
    public String greet() {
      return "hello";
    }
  }

  /** Names the controller, but gets it by its interface: it may be proxied by that alone. */
  static class GreetingJob {
    static final String OF = Greeter.class.getName();
    private final Greeting greeting;

    GreetingJob(Greeting greeting) {
      this.greeting = greeting;
    }

    String run() {
      return greeting instanceof Greeter ? greeting.greet() : "no controller";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"spring.aop.proxy-target-class=false", "spring.aop.auto=false"})
  void aControllerWithAnInterfaceStaysAControllerWhereInterfacesAreProxied(String setting) {
    with(Greeter.class, GreetingJob.class, WebMvc.class)
        .withPropertyValues(setting)
        .run(
            context -> {
              Filter filter =
                  context.getBean("weirWebMvcFilter", FilterRegistrationBean.class).getFilter();
              MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).addFilters(filter).build();
              assertEquals(
                  200, mvc.perform(get("/greeting")).andReturn().getResponse().getStatus());
              assertEquals(
                  200, mvc.perform(get("/greeting")).andReturn().getResponse().getStatus());
              assertEquals(
                  429, mvc.perform(get("/greeting")).andReturn().getResponse().getStatus());
              GreetingJob job = context.getBean(GreetingJob.class);
              assertEquals("hello", job.run());
              assertEquals(1, Contexts.admitted(3, job::run), "calls count too");
            });
  }

  @Controller
  interface PartlyMapped {
    String half();
  }

  static class HalfByInterface implements PartlyMapped {
    @Override
    @GetMapping("/half")
    @RateLimit(limit = 2, window = 3600, by = By.IP)
    @ResponseBody
    public String half() {
      return "half";
    }
  }

  static class HalfJob {
    static final String OF = HalfByInterface.class.getName();
  }

  @Test
  void aControllerWhoseInterfaceDoesNotSayAllStaysOfItsClass() {
    with(HalfByInterface.class, HalfJob.class, WebMvc.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
              assertEquals(200, mvc.perform(get("/half")).andReturn().getResponse().getStatus());
              assertTrue(AopUtils.isCglibProxy(context.getBean(PartlyMapped.class)));
            });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableWebMvc
  static class WebMvc {}

  @Path("/resource")
  static class Resource implements Greeting {
    @Override
    @GET
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String greet() {
      return "hello";
    }
  }

  @Test
  void aResourceWithAnInterfaceStaysOfItsClassWhereInterfacesAreProxied() {
    with(Resource.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              assertTrue(AopUtils.isAopProxy(context.getBean(Greeting.class)));
              assertEquals(2, Contexts.admitted(3, context.getBean(Resource.class)::greet));
            });
  }

  @Controller
  static final class Final implements Greeting {
    @Override
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String greet() {
      return "hello";
    }

    @GetMapping("/final")
    public String get() {
      return "got";
    }
  }

  @Test
  void aFinalControllerThatNeedsAProxyStopsTheStartByName() {
    with(Final.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context -> {
              String message = context.getStartupFailure().getMessage();
              assertTrue(message.contains(Final.class.getName()), message);
              assertTrue(message.contains("is final"), message);
            });
  }

  @Test
  void theLimitOfAControllersClassIsForItsHandlers() {
    with(WithHelper.class)
        .run(
            context -> {
              WithHelper bean = context.getBean(WithHelper.class);
              assertEquals(4, Contexts.admitted(4, bean::helper));
              assertEquals(1, Contexts.admitted(4, bean::limited));
            });
  }

  @Test
  void withoutTheAdapterOfSpringMvcAControllerIsABeanAsAnyOther() {
    new WebApplicationContextRunner()
        .withConfiguration(Contexts.configurations())
        .withUserConfiguration(Alone.class)
        .run(
            context -> {
              Alone bean = context.getBean(Alone.class);
              assertEquals(2, Contexts.admitted(4, bean::get));
            });
  }

  @Test
  void outsideOfAWebApplicationAControllerIsABeanAsAnyOther() {
    Contexts.with(Alone.class)
        .run(
            context -> {
              Alone bean = context.getBean(Alone.class);
              assertEquals(2, Contexts.admitted(4, bean::get));
            });
  }
}
