package io.weir.spring.ordinary;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A test of reactive controllers alone, with Weir's modules and without. */
@WebFluxTest(Orders.class)
class FluxSliceTest {
  @Autowired private WebTestClient client;

  @Test
  void limitsAsTheApplicationDoes() {
    client.get().uri("/latest").exchange().expectStatus().isOk();
    client.get().uri("/latest").exchange().expectStatus().isEqualTo(429);
  }
}
