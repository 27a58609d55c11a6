package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Paths that Jetty doesn't decode are limited as Spring MVC matches them. */
class AmbiguousPathTest {
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenSecurity.class, MvcCaseTest.WithoutFirewall.class, Search.class})
  static class App {
    @Bean
    static BeanPostProcessor lenientJetty() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
          if (bean instanceof ConfigurableJettyWebServerFactory factory) {
            factory.addServerCustomizers(
                server ->
                    server
                        .getConnectors()[0]
                        .getConnectionFactory(HttpConnectionFactory.class)
                        .getHttpConfiguration()
                        .setUriCompliance(UriCompliance.UNSAFE));
          }
          return bean;
        }
      };
    }
  }

  @RestController
  static class Search {
    @GetMapping({"/search/{text}", "/search/{text}/**"})
    String search(@PathVariable("text") String text) {
      return text;
    }
  }

  @Test
  void eachSpellingThatReachesAHandlerIsLimitedByItsUrl() throws Exception {
    try (MvcServer server =
        MvcServer.start(
            JettyServletWebServerFactory.class,
            List.of(App.class),
            "server.servlet.context-path=/my app",
            "weir.policy.searches.url=/search/*",
            "weir.policy.searches.limit=5",
            "weir.policy.searches.window=1h")) {
      List<String> answers = new ArrayList<>();
      for (String text :
          List.of(
              "plain", "a%2Fb", "a%2F..%2F..", "a%2F..%2F..%2F..%2F..", "a%2Fb/../../c", "a%2Fb")) {
        MvcServer.Reply reply = server.get("/my%20app/search/" + text);
        answers.add(reply.status() == 200 ? reply.body() : String.valueOf(reply.status()));
      }
      assertEquals(List.of("plain", "a/b", "a/../..", "a/../../../..", "a/b", "429"), answers);
    }
  }
}
