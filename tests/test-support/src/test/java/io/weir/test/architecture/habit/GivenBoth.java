package io.weir.test.architecture.habit;

import java.time.Instant;
import java.util.Date;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Works with the time and the threads that it is given. */
final class GivenBoth {
  private GivenBoth() {}

  @SuppressWarnings("JavaUtilDate") // made of a given time
  static Date date(Instant now) {
    return new Date(now.toEpochMilli());
  }

  static ExecutorService pool(ThreadFactory threads) {
    return Executors.newCachedThreadPool(threads);
  }

  static CompletableFuture<Void> run(Executor executor) {
    return CompletableFuture.runAsync(() -> {}, executor);
  }
}
