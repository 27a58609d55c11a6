package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failures that come and go, while other statements succeed. */
class PostgresFailureLogTest {
  private final FakeTicker ticker = new FakeTicker();
  private final PostgresFailureLog failures =
      new PostgresFailureLog("PostgreSQL at h/d", new StoreClock(ticker));

  @Test
  void eachFailureIsLoggedOnceWhateverSucceedsBetween() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 10; i++) {
        failures.failed("it rejects writes");
        failures.connected(); // a read
        failures.failed("its user may not use the table");
        ticker.advance(Duration.ofSeconds(1));
      }
      assertEquals(2, log.errors().size(), log.lines().toString());
      assertEquals(2, log.lines().size(), log.lines().toString());
    }
  }

  @Test
  void aFailureIsOverOnceItHasNotOccurredForAWhile() {
    try (LogLines log = new LogLines()) {
      failures.failed("it rejects writes");
      ticker.advance(Duration.ofSeconds(6));
      failures.connected();
      failures.connected();
      assertEquals(1, log.containing("PostgreSQL at h/d can be used by Weir again.").size());
      failures.failed("it rejects writes");
      assertEquals(2, log.errors().size());
    }
  }
}
