package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Measures what a server on several connections owes, and for how long. */
class SilenceMeterTest {
  private final FakeTicker ticker = new FakeTicker();
  private final SilenceMeter silence = new SilenceMeter(ticker);

  private void after(int micros) {
    ticker.advance(Duration.ofNanos(micros * 1_000L));
  }

  @Test
  void nothingIsOwedWithoutStatements() {
    after(5);
    assertEquals(0, silence.micros());
    silence.answered(silence.begin());
    after(5);
    assertEquals(0, silence.micros());
  }

  /** A server that answers each of four connections late would never seem silent otherwise. */
  @Test
  void anAnswerToAnOlderStatementDoesNotExcuseNewerOnes() {
    long first = silence.begin();
    after(10);
    silence.begin();
    after(20);
    assertEquals(30, silence.micros());
    silence.answered(first);
    assertEquals(20, silence.micros());
  }

  /** Perhaps the older answer has arrived, and no thread has had the time to read it. */
  @Test
  void anAnswerToANewerStatementExcusesOlderOnes() {
    silence.begin();
    after(10);
    long second = silence.begin();
    after(20);
    silence.answered(second);
    assertEquals(0, silence.micros());
    after(5);
    assertEquals(5, silence.micros());
  }

  @Test
  void whatWasGivenUpIsOwedUntilAnythingIsAnswered() {
    long first = silence.begin();
    after(10);
    long second = silence.begin();
    silence.givenUp(second);
    silence.givenUp(first);
    after(10);
    assertEquals(20, silence.micros());
    long third = silence.begin();
    after(1);
    assertEquals(21, silence.micros());
    silence.answered(third);
    assertEquals(0, silence.micros());
  }
}
