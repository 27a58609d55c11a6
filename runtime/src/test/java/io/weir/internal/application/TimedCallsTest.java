package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.test.threads.ScarceThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/** Code of the application is called for a limited time. */
class TimedCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MORE_THAN_AT_ONCE = 20;

  private final ScarceThreads threads = new ScarceThreads();

  @Test
  void returnsTheAnswerOrThrowsTheFailure() {
    TimedCalls calls = new TimedCalls(PATIENCE, threads);
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
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    TimedCalls calls = new TimedCalls(Duration.ZERO, startingUntil(begun));
    assertEquals(
        Optional.empty(),
        calls.call(
            () -> {
              begun.countDown();
              try {
                never.await();
              } catch (InterruptedException stopped) {
                interrupted.countDown();
              }
              return "late";
            }));
    interrupted.await();
  }

  /** Makes threads that take until then to start. */
  private static ThreadFactory startingUntil(CountDownLatch begun) {
    return work ->
        new Thread(work) {
          @Override
          public synchronized void start() {
            super.start();
            try {
              begun.await();
            } catch (InterruptedException ended) {
              throw new AssertionError(ended);
            }
          }
        };
  }

  @Test
  void callsThatAreLateBeforeTheyBeginTakeNoPlacesForGood() {
    Queue<Runnable> slow = new ArrayDeque<>();
    TimedCalls calls =
        new TimedCalls(
            Duration.ZERO,
            work -> {
              slow.add(work);
              return new Thread(() -> {});
            });
    for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
      assertEquals(Optional.empty(), calls.call(TimedCallsTest::fail));
      slow.remove().run();
    }
  }

  private static String fail() {
    throw new AssertionError("it was cancelled");
  }

  @Test
  void callsWithoutAThreadTakeNoPlaces() {
    TimedCalls calls = new TimedCalls(PATIENCE, threads);
    threads.exhaust();
    for (int i = 0; i < MORE_THAN_AT_ONCE; i++) {
      assertEquals(Optional.empty(), calls.call(() -> "answer"));
    }
    threads.recover();
    assertEquals(Optional.of("answer"), calls.call(() -> "answer"));
  }
}
