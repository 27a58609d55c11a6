package io.weir.spring.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** The annotation gives a whole application, with all that Spring Boot configures, a ticker. */
@SpringBootTest(
    classes = FakeTickerTest.Application.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureFakeTicker
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class FakeTickerTest {
  private static final Policy ONE =
      Policy.builder("one").limit(1).window(Duration.ofHours(1)).build();

  @Autowired private FakeTicker ticker;
  @Autowired private Weir weir;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Ticker ofTheApplication() {
      return Ticker.system();
    }
  }

  @Test
  void movesTheTimeOfTheLimits() {
    assertTrue(weir.limiter().tryAcquire(ONE, Key.of("a")).admitted());
    assertFalse(weir.limiter().tryAcquire(ONE, Key.of("a")).admitted());
    ticker.advance(Duration.ofHours(2));
    assertTrue(weir.limiter().tryAcquire(ONE, Key.of("a")).admitted());
    assertEquals(FakeTicker.class, ticker.getClass());
  }
}
