package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.WebFilter;

/** Several contexts: each application counts alone, and the management port's isn't limited. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WebFluxContextsTest {
  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Pages.class)
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder().build();
    }
  }

  @RestController
  static class Pages {
    @GetMapping("/page")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "page")
    String page() {
      return "page";
    }
  }

  /** A context below the application's, as the management port has one. */
  @Configuration(proxyBeanMethods = false)
  @EnableWebFlux
  @Import(Managed.class)
  static class Management {}

  @RestController
  static class Managed {
    @GetMapping("/managed")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "managed")
    String managed() {
      return "managed";
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Asked {
    @Bean
    WebFluxRateLimitFilter managementFilter(Adapter adapter, ApplicationContext context) {
      return new WebFluxRateLimitFilter(adapter, context);
    }

    @Bean
    WebFilter managementUserFilter(WebFluxRateLimitFilter managementFilter) {
      return managementFilter.afterSignIn();
    }
  }

  private static List<Integer> statuses(ApplicationContext context, String path) {
    WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      statuses.add(
          client
              .method(HttpMethod.GET)
              .uri(path)
              .exchange()
              .returnResult(String.class)
              .getStatus()
              .value());
    }
    return statuses;
  }

  private static AnnotationConfigApplicationContext below(
      ApplicationContext application, Class<?>... configuration) {
    AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
    child.setParent(application);
    child.register(configuration);
    child.refresh();
    return child;
  }

  @Test
  void limitsTestsWithoutServerAsTheApplicationDoes() {
    try (FluxServer server = FluxServer.start(App.class)) {
      assertEquals(List.of(200, 200, 429), statuses(server.context(), "/page"));
    }
  }

  @Test
  void countsEachApplicationAlone() throws Exception {
    try (FluxServer one = FluxServer.start(App.class);
        FluxServer other = FluxServer.start(App.class)) {
      assertEquals(List.of(200, 200, 429), one.statuses(3, "/page"));
      assertEquals(List.of(200, 200, 429), other.statuses(3, "/page"));
    }
  }

  @Test
  void leavesTheManagementPortAloneUnlessAsked() {
    try (FluxServer server = FluxServer.start(App.class);
        AnnotationConfigApplicationContext free = below(server.context(), Management.class);
        AnnotationConfigApplicationContext asked =
            below(server.context(), Management.class, Asked.class)) {
      assertEquals(List.of(200, 200, 200), statuses(free, "/managed"));
      assertEquals(List.of(200, 200, 429), statuses(asked, "/managed"));
      assertEquals(List.of(200, 200, 429), statuses(server.context(), "/page"));
    }
  }
}
