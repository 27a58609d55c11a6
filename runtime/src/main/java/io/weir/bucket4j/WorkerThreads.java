package io.weir.bucket4j;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a backend which can't do without: a few daemons that end when nothing
 * is to be done, and a queue with an end, so that a backend that hangs is refused instead of waited
 * for by ever more.
 */
final class WorkerThreads {
  private static final int THREADS = 8;
  private static final int QUEUE = 1_024;
  private static final int IDLE_SECONDS = 30;

  private WorkerThreads() {}

  static ThreadPoolExecutor start() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE),
            work -> thread(work, number.incrementAndGet()));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Thread thread(Runnable work, int number) {
    // A request starts it, and nothing that its thread hands down may stay.
    Thread thread = new Thread(null, work, "weir-bucket4j-" + number, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(WorkerThreads.class.getClassLoader());
    return thread;
  }
}
