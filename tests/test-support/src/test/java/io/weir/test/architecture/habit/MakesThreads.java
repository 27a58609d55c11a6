package io.weir.test.architecture.habit;

import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Makes a thread, or uses one that the JVM shares, a method for each way. */
final class MakesThreads {
  private MakesThreads() {}

  static Thread thread() {
    return new Thread(() -> {}, "own");
  }

  static Thread subclass() {
    return new Own();
  }

  static ExecutorService pool() {
    return Executors.newCachedThreadPool();
  }

  static Timer timer() {
    return new Timer();
  }

  static CompletableFuture<Void> shared() {
    return CompletableFuture.runAsync(() -> {});
  }

  static CompletableFuture<Void> timeout(CompletableFuture<Void> future) {
    return future.orTimeout(1, TimeUnit.SECONDS);
  }

  private static final class Own extends Thread {}
}
