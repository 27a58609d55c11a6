package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.ServletPeer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** With servlets: Spring MVC, {@code RateLimitFilter} and Jersey in one application. */
abstract class ServletAddressContract extends AddressContract {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OpenToEverybody.class)
  static class Shop {
    @Bean
    Pages pages() {
      return new Pages();
    }

    @Bean
    ServletRegistrationBean<Two> servlet() {
      return new ServletRegistrationBean<>(new Two(), "/servlet");
    }

    @Bean
    ServletRegistrationBean<Later> later() {
      ServletRegistrationBean<Later> servlet = new ServletRegistrationBean<>(new Later(), "/later");
      servlet.setAsyncSupported(true);
      return servlet;
    }

    @Bean
    FilterRegistrationBean<RateLimitFilter> filter(Weir weir) {
      FilterRegistrationBean<RateLimitFilter> filter =
          new FilterRegistrationBean<>(new RateLimitFilter(weir));
      filter.addUrlPatterns("/servlet");
      filter.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
      return filter;
    }

    @Bean
    ResourceConfig jersey() {
      return new Resources();
    }
  }

  @RestController
  static class Pages {
    @GetMapping("/mvc")
    @RateLimit(limit = 2, window = 3_600, name = "mvc")
    String two() {
      return "two";
    }

    @GetMapping("/redirect")
    ResponseEntity<Void> redirect() {
      URI there =
          ServletUriComponentsBuilder.fromCurrentContextPath().path("/there").build().toUri();
      return ResponseEntity.status(302).location(there).build();
    }
  }

  @RateLimit(limit = 2, window = 3_600, name = "servlet")
  static final class Two extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  /** Answers in an asynchronous dispatch with the address that Weir would count by. */
  static final class Later extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      if (request.getDispatcherType() == DispatcherType.ASYNC) {
        response.setHeader("Location", ServletPeer.address(request).orElseThrow());
      } else {
        request.startAsync().dispatch();
      }
    }
  }

  @ApplicationPath("/jersey")
  static final class Resources extends ResourceConfig {
    Resources() {
      register(Resource.class);
    }
  }

  @Path("two")
  public static final class Resource {
    @GET
    @RateLimit(limit = 2, window = 3_600, name = "jersey")
    public String two() {
      return "two";
    }
  }

  @Override
  WebApplicationType type() {
    return WebApplicationType.SERVLET;
  }

  @Override
  Class<?> application() {
    return Shop.class;
  }

  @Override
  void requireMore(AddressServer server) throws IOException {
    assertEquals(
        AddressServer.CALLER,
        server.get(AddressServer.CALLER, "/later", "X-Forwarded-For: 203.0.113.1").location());
  }

  @Override
  List<String> limited() {
    return List.of("/mvc", "/servlet", "/jersey/two");
  }
}
