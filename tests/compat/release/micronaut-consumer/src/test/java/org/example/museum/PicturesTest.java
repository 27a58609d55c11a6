package org.example.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micronaut.context.annotation.Factory;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.weir.RateLimitExceededException;
import io.weir.testkit.FakeTicker;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An application's own test, without sleeping. */
@MicronautTest
class PicturesTest {
  @Inject EmbeddedServer server;
  @Inject TicketOffice office;
  @Inject FakeTicker ticker;

  @Factory
  static class Clock {
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  @Test
  void threePerHour() throws Exception {
    URI pictures = server.getURI().resolve("/pictures");
    List<String> once = List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0");
    assertEquals(once, Museum.get(pictures));
    ticker.advance(Duration.ofHours(2));
    assertEquals(once, Museum.get(pictures));
  }

  @Test
  void twoTicketsPerHour() {
    assertEquals("noon", office.sell());
    assertEquals("noon", office.sell());
    assertThrows(RateLimitExceededException.class, office::sell);
  }
}
