package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Measures what a server on several connections owes, and for how long. */
class AnswerWatchTest {
  private final FakeTicker ticker = new FakeTicker();
  private final AnswerWatch watch = new AnswerWatch(ticker);

  private void after(int micros) {
    ticker.advance(Duration.ofNanos(micros * 1_000L));
  }

  @Test
  void nothingIsOwedWithoutStatements() {
    after(5);
    assertEquals(0, watch.micros());
    watch.answered(watch.sent());
    after(5);
    assertEquals(0, watch.micros());
  }

  /** A server that answers each of four connections late would never seem silent otherwise. */
  @Test
  void anAnswerToAnOlderStatementDoesNotExcuseNewerOnes() {
    long first = watch.sent();
    after(10);
    watch.sent();
    after(20);
    assertEquals(30, watch.micros());
    watch.answered(first);
    assertEquals(20, watch.micros());
  }

  /** Perhaps the older answer has arrived, and no thread has had the time to read it. */
  @Test
  void anAnswerToANewerStatementExcusesOlderOnes() {
    watch.sent();
    after(10);
    long second = watch.sent();
    after(20);
    watch.answered(second);
    assertEquals(0, watch.micros());
    after(5);
    assertEquals(5, watch.micros());
  }

  @Test
  void whatWasGivenUpIsOwedUntilAnythingIsAnswered() {
    long first = watch.sent();
    after(10);
    long second = watch.sent();
    watch.gaveUp(second);
    watch.gaveUp(first);
    after(10);
    assertEquals(20, watch.micros());
    long third = watch.sent();
    after(1);
    assertEquals(21, watch.micros());
    watch.answered(third);
    assertEquals(0, watch.micros());
  }
}
