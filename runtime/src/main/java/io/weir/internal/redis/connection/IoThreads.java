package io.weir.internal.redis.connection;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that talk to Redis, named weir-redis-1 and so on. */
final class IoThreads {
  private static final int MOST_WAITING = 1_000;
  private static final long IDLE_SECONDS = 30;

  private final AtomicInteger last = new AtomicInteger();
  private final Collection<ThreadPoolExecutor> pools = new ConcurrentLinkedQueue<>();

  /** What waits for Redis. */
  ThreadPoolExecutor pool(int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
            size,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            this::thread);
    pool.allowCoreThreadTimeOut(true);
    pools.add(pool);
    return pool;
  }

  /** What ends a wait; whoever asks for it ends it. It never waits itself. */
  ScheduledThreadPoolExecutor watch() {
    ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, this::thread);
    watch.setRemoveOnCancelPolicy(true);
    watch.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    watch.allowCoreThreadTimeOut(true);
    return watch;
  }

  private Thread thread(Runnable work) {
    // A request starts it, and nothing that its thread hands down may stay.
    Thread thread = new Thread(null, work, "weir-redis-" + last.incrementAndGet(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(IoThreads.class.getClassLoader());
    return thread;
  }

  /** The pools take nothing new. */
  void stop() {
    pools.forEach(ThreadPoolExecutor::shutdown);
  }

  /** Waits for the end of the pools, each so long at most. */
  void await(int millis) {
    for (ThreadPoolExecutor pool : pools) {
      try {
        pool.awaitTermination(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
