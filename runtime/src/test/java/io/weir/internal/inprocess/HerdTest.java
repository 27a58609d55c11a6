package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.RequestTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sixty-four threads released at once. */
class HerdTest {
  private static final int THREADS = 64;
  private static final int EACH = 20;
  private static final long LIMIT = 333;

  private final HandTicker ticker = new HandTicker();

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void exactlyTheLimitIsAdmittedEachTime(Algorithm algorithm) throws Exception {
    Asking asking = Asking.of(new InProcessStore(ticker, 1_000), algorithm, 60_000_000, LIMIT);
    release(round -> () -> takeAll(asking, "key " + round), LIMIT);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void alsoWhereBucketsAreDroppedAndMadeAgainAllTheTime(Algorithm algorithm) throws Exception {
    Asking asking = Asking.of(new InProcessStore(ticker, 2), algorithm, 60_000_000, LIMIT);
    release(
        round -> {
          ticker.advance(120_000_000);
          return () -> {
            asking.take("other " + Thread.currentThread().getId() % 4);
            return takeAll(asking, "the same key");
          };
        },
        LIMIT);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void alsoWhereMostAreAdmittedByATill(Algorithm algorithm) throws Exception {
    InProcessStore store = new InProcessStore(ticker, 1_000);
    Asking asking = Asking.of(store, algorithm, 60_000_000, LIMIT);
    Policy policy =
        Policy.builder("test")
            .limit(LIMIT)
            .window(Duration.ofMinutes(1))
            .algorithm(algorithm)
            .build();
    RequestTerms terms = new RequestTerms(policy, 1, LIMIT, LIMIT, LIMIT, 0);
    release(
        round -> {
          ticker.advance(120_000_000);
          return () -> {
            long granted = 0;
            for (int i = 0; i < EACH; i++) {
              Decision now = store.decideNow(terms, Key.of("key"));
              granted += now != null ? now.permits() : asking.take("key", 1).permits();
            }
            return granted;
          };
        },
        LIMIT);
  }

  private static long takeAll(Asking asking, String key) {
    long granted = 0;
    for (int i = 0; i < EACH; i++) {
      granted += asking.take(key, 1).permits();
    }
    return granted;
  }

  private interface Round {
    LongSupplier begin(int number);
  }

  private static void release(Round round, long expected) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier gate = new CyclicBarrier(THREADS);
    try {
      for (int number = 0; number < 100; number++) {
        LongSupplier work = round.begin(number);
        List<Future<Long>> sums = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          sums.add(
              threads.submit(
                  () -> {
                    gate.await(120, TimeUnit.SECONDS);
                    return work.getAsLong();
                  }));
        }
        long granted = 0;
        for (Future<Long> sum : sums) {
          granted += sum.get(120, TimeUnit.SECONDS);
        }
        assertEquals(expected, granted, "round " + number);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
