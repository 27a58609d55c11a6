package org.example.bakery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.weir.testkit.FakeTicker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An application's own test, without sleeping. */
@QuarkusTest
class LoavesTest {
  @Singleton
  static class Clock {
    @Produces
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  @TestHTTPResource("loaves")
  URI loaves;

  @Inject FakeTicker ticker;

  @Test
  void threePerHour() throws Exception {
    List<String> once = List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0");
    assertEquals(once, Bakery.get(loaves));
    ticker.advance(Duration.ofHours(2));
    assertEquals(once, Bakery.get(loaves));
  }
}
