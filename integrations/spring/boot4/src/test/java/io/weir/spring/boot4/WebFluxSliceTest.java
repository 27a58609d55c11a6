package io.weir.spring.boot4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.annotation.RateLimit;
import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Import;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A test of the reactive controllers alone limits as the application does. */
@WebFluxTest(
    controllers = WebFluxSliceTest.Searches.class,
    properties = {"weir.store=spring", "weir.rules=datasource:"})
@AutoConfigureFakeTicker
class WebFluxSliceTest {
  @Autowired private FakeTicker ticker;
  @Autowired private Weir weir;
  @Autowired private Adapter adapter;
  @Autowired private WebTestClient client;

  @SpringBootConfiguration
  @Import(Searches.class)
  static class Application {}

  @RestController
  static class Searches {
    @RateLimit(limit = 1, window = 60)
    @GetMapping("/search")
    public String search() {
      return "found";
    }
  }

  @Test
  @WithMockUser
  void limitsInTheTimeOfTheTest() {
    assertSame(weir, adapter.weir());
    assertEquals("inprocess:", weir.store());
    expect(200);
    expect(429);
    ticker.advance(Duration.ofMinutes(2));
    expect(200);
  }

  private void expect(int status) {
    client.get().uri("/search").exchange().expectStatus().isEqualTo(status);
  }
}
