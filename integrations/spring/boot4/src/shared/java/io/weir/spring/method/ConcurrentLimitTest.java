package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A limit of N admits N, however many threads call at once. */
class ConcurrentLimitTest {
  private static final int LIMIT = 100;
  private static final int THREADS = 16;
  private static final int CALLS = 50;
  private static final long PATIENCE_SECONDS = 60;

  interface Shop {
    void buy();
  }

  static class LimitedShop implements Shop {
    private final AtomicInteger bought = new AtomicInteger();

    @Override
    @RateLimit(limit = LIMIT, window = 3600, by = By.ENDPOINT)
    public void buy() {
      bought.incrementAndGet();
    }
  }

  @Test
  void byClassTheLimitIsExact() {
    admitsItsLimit(Contexts.with(LimitedShop.class), Executors.newFixedThreadPool(THREADS));
  }

  @Test
  void byInterfaceTheLimitIsExact() {
    admitsItsLimit(Contexts.byInterface(LimitedShop.class), Executors.newFixedThreadPool(THREADS));
  }

  @Test
  void inVirtualThreadsTheLimitIsExact() throws ReflectiveOperationException {
    Assumptions.assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
    ExecutorService virtual =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    admitsItsLimit(Contexts.with(LimitedShop.class), virtual);
  }

  private static void admitsItsLimit(
      ApplicationContextRunner application, ExecutorService threads) {
    try {
      application.run(
          context -> {
            Shop shop = context.getBean(Shop.class);
            assertEquals(LIMIT, admitted(shop, threads));
          });
    } finally {
      threads.shutdownNow();
    }
  }

  private static int admitted(Shop shop, ExecutorService threads) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    Callable<Integer> caller =
        () -> {
          ready.countDown();
          ready.await();
          return Contexts.admitted(CALLS, shop::buy);
        };
    List<Future<Integer>> running = new ArrayList<>();
    for (int at = 0; at < THREADS; at++) {
      running.add(threads.submit(caller));
    }
    int admitted = 0;
    for (Future<Integer> each : running) {
      admitted += each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    return admitted;
  }
}
