package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Tries what a refusal leaves of the connection. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxConnectionTest {
  private static FluxServer server;

  @BeforeAll
  static void start() {
    server = FluxServer.start(App.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import(Limited.class)
  static class App {}

  @RestController
  static class Limited {
    @GetMapping("/elsewhere")
    Mono<String> elsewhere() {
      return Mono.just("elsewhere").publishOn(Schedulers.boundedElastic());
    }

    @GetMapping("/limited")
    @RateLimit(limit = 1, window = 600, by = By.IP, name = "limited")
    String limited() {
      return "limited";
    }
  }

  /**
   * A request that comes before the previous one has ended is taken up by Reactor Netty in another
   * way. So is the one of a quick client if the machine is busy.
   */
  @Test
  void aRefusalAtOnceLetsTheConnectionReadOn() throws Exception {
    try (RawConnection connection =
        new RawConnection(new Socket(InetAddress.getLoopbackAddress(), server.port()))) {
      connection.send("/limited");
      assertEquals(200, connection.status());
      connection.send("/elsewhere", "/limited");
      assertEquals(200, connection.status());
      assertEquals(429, connection.status());
      connection.send("/limited");
      assertEquals(429, connection.status());
    }
  }
}
