package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class SwappedCountersTest {
  @Test
  void whatManyThreadsAddIsTakenOverExactlyOnce() throws InterruptedException {
    SwappedCounters<Integer, LongAdder> collected = new SwappedCounters<>(100, LongAdder::new);
    int threads = 4;
    int each = 200_000;
    AtomicInteger running = new AtomicInteger(threads);
    List<Thread> all = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      Thread adds =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  assertTrue(collected.add(i % 7, LongAdder::increment));
                }
                running.decrementAndGet();
              });
      adds.start();
      all.add(adds);
    }
    Map<Integer, Long> sums = new HashMap<>();
    boolean isOver;
    do {
      isOver = running.get() == 0;
      collected.take().forEach((key, adder) -> sums.merge(key, adder.sum(), Long::sum));
    } while (!isOver);
    for (Thread adds : all) {
      adds.join();
    }
    assertEquals((long) threads * each, sums.values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void aFullGenerationHasNoPlaceForOthersUntilItIsTakenOver() {
    SwappedCounters<Integer, LongAdder> collected = new SwappedCounters<>(2, LongAdder::new);
    assertTrue(collected.add(1, LongAdder::increment));
    assertTrue(collected.add(2, LongAdder::increment));
    assertFalse(collected.add(3, LongAdder::increment));
    assertTrue(collected.add(2, LongAdder::increment), "it has one already");
    assertEquals(2, collected.take().size());
    assertTrue(collected.add(3, LongAdder::increment));
    assertEquals(1, collected.take().size());
    assertEquals(0, collected.take().size());
  }
}
