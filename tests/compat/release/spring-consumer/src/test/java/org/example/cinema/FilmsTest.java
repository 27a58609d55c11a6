package org.example.cinema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

/** An application's own test, without sleeping. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureFakeTicker
class FilmsTest {
  @Autowired private Environment environment;
  @Autowired private FakeTicker ticker;

  @Test
  void threePerHour() throws Exception {
    URI films =
        URI.create(
            "http://127.0.0.1:" + environment.getProperty("local.server.port") + "/films");
    List<String> once = List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0");
    assertEquals(once, Cinema.get(films));
    ticker.advance(Duration.ofHours(2));
    assertEquals(once, Cinema.get(films));
  }
}
