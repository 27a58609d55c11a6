package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * Controllers that web adapters limit and that are proxied too, since another bean calls them: each
 * request is charged once, and so is each direct call.
 */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class ServedControllerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Auto-configurations of both Spring Boots that need what the test doesn't have. */
  private static final String EXCLUDED =
      String.join(
          ",",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
          "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
          "org.springframework.boot.autoconfigure.websocket.servlet"
              + ".WebSocketServletAutoConfiguration",
          "org.springframework.boot.websocket.autoconfigure.servlet"
              + ".WebSocketServletAutoConfiguration");

  @RestController
  static class Hits {
    private final Mails mails;

    Hits(Mails mails) {
      this.mails = mails;
    }

    @GetMapping("/hit")
    @RateLimit(limit = 5, window = 3600, by = By.ENDPOINT)
    public String hit() {
      return "hit";
    }

    @GetMapping("/mono")
    @RateLimit(limit = 5, window = 3600, by = By.ENDPOINT)
    public Mono<String> mono() {
      return Mono.just("hit");
    }

    /** Isn't limited itself, but calls a method that is. */
    @GetMapping("/mail")
    public String mail() {
      return mails.send();
    }
  }

  static class Mails {
    @RateLimit(limit = 2, window = 3600, by = By.IP)
    public String send() {
      return "sent";
    }
  }

  static class Job {
    private final Hits hits;

    Job(Hits hits) {
      this.hits = hits;
    }

    void run() {
      hits.hit();
    }

    void runMono() {
      hits.mono().block(PATIENCE);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Hits.class, Mails.class, Job.class})
  static class Servlets {
    @Bean
    SecurityFilterChain open(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().permitAll()).build();
    }
  }

  @Test
  void onSpringMvcRequestsAndDirectCallsAreChargedOnce() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Servlets.class)
            .web(WebApplicationType.SERVLET)
            .properties(
                "server.port=0",
                "spring.main.banner-mode=off",
                "spring.autoconfigure.exclude=" + EXCLUDED)
            .run()) {
      assertTrue(AopUtils.isAopProxy(context.getBean(Hits.class)));
      Job job = context.getBean(Job.class);
      for (int at = 0; at < 3; at++) {
        assertEquals(200, status(context, "/hit"));
        assertEquals(200, status(context, "/mono"));
      }
      assertEquals(2, Contexts.admitted(4, job::run));
      assertEquals(2, Contexts.admitted(4, job::runMono));
      assertEquals(429, status(context, "/hit"));
      assertEquals(429, status(context, "/mono"));

      assertEquals(200, status(context, "/mail"));
      assertEquals(200, status(context, "/mail"));
      assertEquals(429, status(context, "/mail"), "the refusal of a method that the handler calls");
    }
  }

  private static int status(ConfigurableApplicationContext context, String path) throws Exception {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Configuration(proxyBeanMethods = false)
  @Import({Hits.class, Mails.class, Job.class})
  static class Reactive {}

  private static Class<?>[] webFlux() {
    return Stream.of(
            "org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration",
            "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration",
            "org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration",
            "org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration",
            "io.weir.spring.webflux.WeirWebFluxAutoConfiguration")
        .filter(each -> ClassUtils.isPresent(each, null))
        .map(each -> ClassUtils.resolveClassName(each, null))
        .toArray(Class<?>[]::new);
  }

  @Test
  void onWebFluxRequestsAndDirectCallsAreChargedOnce() {
    new ReactiveWebApplicationContextRunner()
        .withConfiguration(Contexts.configurations())
        .withConfiguration(AutoConfigurations.of(webFlux()))
        .withUserConfiguration(Reactive.class)
        .run(
            context -> {
              assertTrue(AopUtils.isAopProxy(context.getBean(Hits.class)));
              WebTestClient client =
                  WebTestClient.bindToApplicationContext(context.getSourceApplicationContext())
                      .configureClient()
                      .responseTimeout(PATIENCE)
                      .build();
              Job job = context.getBean(Job.class);
              for (int at = 0; at < 3; at++) {
                client.get().uri("/hit").exchange().expectStatus().isOk();
                client.get().uri("/mono").exchange().expectStatus().isOk();
              }
              assertEquals(2, Contexts.admitted(4, job::run));
              assertEquals(2, Contexts.admitted(4, job::runMono));
              client.get().uri("/hit").exchange().expectStatus().isEqualTo(429);
              client.get().uri("/mono").exchange().expectStatus().isEqualTo(429);
            });
  }
}
