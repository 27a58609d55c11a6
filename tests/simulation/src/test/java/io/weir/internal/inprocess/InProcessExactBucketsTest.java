package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.ExactBuckets;
import io.weir.store.StepRefillRequest;
import io.weir.testkit.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InProcessExactBucketsTest {
  private final FakeTicker ticker = new FakeTicker();
  private final InProcessStore store = new InProcessStore(ticker, 100);
  private final ExactBuckets buckets = store.exactBuckets().orElseThrow();

  private static StepRefillRequest.Builder request(String name, long max, long seconds) {
    return StepRefillRequest.builder(name.getBytes(StandardCharsets.UTF_8), max, 1_000 * seconds)
        .take(1);
  }

  private long take(String name) {
    return ask(request(name, 2, 60).build());
  }

  private long ask(StepRefillRequest request) {
    return buckets.execute(request).toCompletableFuture().join().tokens();
  }

  @Test
  void twoPerMinute() {
    assertEquals(List.of(2L, 1L, 0L), List.of(take("a"), take("a"), take("a")));
    assertEquals(2, take("b"));
    ticker.advance(Duration.ofSeconds(60));
    assertEquals(2, take("a"));
  }

  @Test
  void whoOnlyLooksTakesNoPlace() {
    assertEquals(2, ask(request("a", 2, 60).take(0).build()));
    assertEquals(0, store.size());
  }

  @Test
  void aFullStoreRefusesNewcomersUntilBucketsExpire() {
    for (int i = 0; i < 100; i++) {
      take("caller " + i);
    }
    assertThrows(CompletionException.class, () -> take("newcomer"));
    assertEquals(1, take("caller 7"));
    ticker.advance(Duration.ofSeconds(60));
    for (int i = 0; i < 100; i++) {
      assertEquals(2, take("newcomer " + i));
    }
    assertTrue(store.size() <= 100);
  }

  @Test
  void expiredBucketsGo() {
    for (int i = 0; i < 100; i++) {
      take("caller " + i);
    }
    ticker.advance(Duration.ofSeconds(60));
    for (int i = 0; i < 3; i++) {
      ticker.advance(Duration.ofMillis(20));
      ask(request("a", 2, 60).take(0).build());
    }
    assertEquals(0, store.size());
  }

  /** Every token is taken by one thread, also of buckets that expire all the time. */
  @Test
  void noTokenIsTakenTwice() throws Exception {
    for (int round = 0; round < 200; round++) {
      AtomicInteger granted = new AtomicInteger();
      CyclicBarrier barrier = new CyclicBarrier(4);
      String name = "round " + round;
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    barrier.await();
                  } catch (Exception broken) {
                    throw new IllegalStateException(broken);
                  }
                  for (int take = 0; take < 50; take++) {
                    if (ask(request(name, 100, 1).build()) > 0) {
                      granted.incrementAndGet();
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(100, granted.get());
      ticker.advance(Duration.ofSeconds(2));
    }
  }

  @Test
  void aClosedStoreFails() {
    store.close();
    assertThrows(CompletionException.class, () -> take("a"));
  }
}
