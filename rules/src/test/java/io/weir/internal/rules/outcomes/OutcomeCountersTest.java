package io.weir.internal.rules.outcomes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Decisions are counted by the name of their policy. */
class OutcomeCountersTest {
  private static Policy policy(String name, long limit) {
    return Policy.builder(name).limit(limit).window(Duration.ofHours(1)).build();
  }

  private static Decision admission(String policy) {
    try (RateLimiter limiter = RateLimiter.builder().build()) {
      return limiter.tryAcquire(policy(policy, 1), Key.of("ann"));
    }
  }

  @Test
  void policiesOfOneNameAreCountedTogether() {
    OutcomeCounters counters = new OutcomeCounters();
    try (RateLimiter limiter = RateLimiter.builder().metrics(counters).build()) {
      for (int i = 0; i < 3_000; i++) { // more policies than the table has places
        var unused = limiter.tryAcquire(policy("search", 10_000), Key.of("ann"));
      }
    }
    assertEquals(
        Map.of("search", new OutcomeSums(3_000, 0, 0, 0, 0)),
        new OutcomeDifferences(counters).next());
  }

  @Test
  void eachReaderGetsEachDecisionOnce() {
    OutcomeCounters counters = new OutcomeCounters();
    OutcomeDifferences first = new OutcomeDifferences(counters);
    OutcomeDifferences second = new OutcomeDifferences(counters);
    counters.decided(admission("a"));
    assertEquals(Map.of("a", new OutcomeSums(1, 0, 0, 0, 0)), first.next());
    assertEquals(Map.of(), first.next());
    counters.decided(admission("a"));
    counters.decided(admission("b"));
    assertEquals(
        Map.of("a", new OutcomeSums(1, 0, 0, 0, 0), "b", new OutcomeSums(1, 0, 0, 0, 0)),
        first.next());
    assertEquals(
        Map.of("a", new OutcomeSums(2, 0, 0, 0, 0), "b", new OutcomeSums(1, 0, 0, 0, 0)),
        second.next());
  }

  @Test
  void policiesForWhichThereIsNoRoomAreCountedTogether() {
    OutcomeCounters counters = new OutcomeCounters(2);
    for (String policy : List.of("a", "b", "c", "d", "a", "c")) {
      counters.decided(admission(policy));
    }
    assertEquals(
        Map.of(
            "a", new OutcomeSums(2, 0, 0, 0, 0),
            "b", new OutcomeSums(1, 0, 0, 0, 0),
            "*", new OutcomeSums(3, 0, 0, 0, 0)),
        new OutcomeDifferences(counters).next());
  }

  @Test
  void underLoadNothingIsLostNorCountedTwice() throws InterruptedException {
    OutcomeCounters counters = new OutcomeCounters();
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      decisions.add(admission("p" + i));
    }
    int threads = 4;
    int rounds = 20_000;
    AtomicBoolean isOver = new AtomicBoolean();
    OutcomeSums[] read = {OutcomeSums.NONE};
    Thread reader =
        new Thread(
            () -> {
              OutcomeDifferences differences = new OutcomeDifferences(counters);
              boolean isLast;
              do {
                isLast = isOver.get();
                for (OutcomeSums each : differences.next().values()) {
                  assertTrue(each.admitted() > 0);
                  read[0] = read[0].plus(each);
                }
              } while (!isLast);
            });
    reader.start();
    List<Thread> deciding = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread each =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  counters.decided(decisions.get(round % decisions.size()));
                }
              });
      each.start();
      deciding.add(each);
    }
    for (Thread each : deciding) {
      each.join();
    }
    isOver.set(true);
    reader.join();
    assertEquals(threads * rounds, read[0].admitted());
  }
}
