package io.weir.grpc;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Starts the threads in which calls go on that have waited, as many as gRPC itself would. */
final class CallThreads {
  private static final int IDLE_SECONDS = 10;

  private CallThreads() {}

  /** Returns an executor that has no thread until it needs one, and none that is idle for long. */
  static ExecutorService start() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "weir-grpc");
          thread.setDaemon(true);
          return thread;
        });
  }
}
