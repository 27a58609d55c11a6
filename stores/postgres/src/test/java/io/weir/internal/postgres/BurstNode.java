package io.weir.internal.postgres;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node of a burst, a process of its own. For each line {@code ADDRESS ALGORITHM caller} it makes
 * its requests by many threads and prints how many were admitted, and how many weren't decided by
 * the store. {@code ADDRESS} is the number of one of its addresses.
 */
final class BurstNode {
  static final int LIMIT = 1_000;
  private static final int THREADS = 32;

  private BurstNode() {}

  public static void main(String[] arguments) throws Exception {
    int requests = Integer.parseInt(arguments[0]);
    List<RateLimiter> limiters = new ArrayList<>();
    for (String address : List.of(arguments).subList(1, arguments.length)) {
      limiters.add(open(address));
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      String line;
      while ((line = lines.readLine()) != null) {
        String[] words = line.split(" ", 3);
        RateLimiter limiter = limiters.get(Integer.parseInt(words[0]));
        System.out.println(burst(limiter, Algorithm.valueOf(words[1]), Key.of(words[2]), requests));
      }
    } finally {
      limiters.forEach(RateLimiter::close);
    }
  }

  private static RateLimiter open(String address) {
    return RateLimiter.builder()
        .store(address, name -> name.equals("weir.store.timeout") ? "10s" : "")
        .storeTimeout(Duration.ofSeconds(30)) // a busy machine isn't an outage
        .startTimeout(Duration.ofMinutes(1))
        .build();
  }

  private static String burst(RateLimiter limiter, Algorithm algorithm, Key caller, int requests)
      throws InterruptedException {
    Policy policy =
        Policy.builder("burst." + algorithm)
            .algorithm(algorithm)
            .limit(LIMIT)
            .window(Duration.ofDays(30))
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    AtomicInteger left = new AtomicInteger(requests);
    AtomicInteger admitted = new AtomicInteger();
    AtomicInteger degraded = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (left.getAndDecrement() > 0) {
                  Decision decision = limiter.tryAcquire(policy, caller);
                  admitted.addAndGet(decision.admitted() ? 1 : 0);
                  degraded.addAndGet(decision.degraded() ? 1 : 0);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread each : threads) {
      each.join();
    }
    return admitted + " " + degraded;
  }
}
