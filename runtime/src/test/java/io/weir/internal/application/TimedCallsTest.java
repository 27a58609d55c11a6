package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Code of the application is called for a limited time. */
class TimedCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void returnsTheAnswerOrThrowsTheFailure() {
    TimedCalls calls = new TimedCalls(PATIENCE);
    assertEquals(Optional.of("answer"), calls.call(() -> "answer"));
    RuntimeException failure = new IllegalStateException("failed");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                calls.call(
                    () -> {
                      throw failure;
                    })));
  }

  @Test
  void interruptsALateCallAndGoesOnWithoutItsAnswer() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    TimedCalls calls = new TimedCalls(Duration.ofMillis(1));
    assertEquals(
        Optional.empty(),
        calls.call(
            () -> {
              try {
                never.await();
              } catch (InterruptedException stopped) {
                interrupted.countDown();
              }
              return "late";
            }));
    interrupted.await();
  }
}
