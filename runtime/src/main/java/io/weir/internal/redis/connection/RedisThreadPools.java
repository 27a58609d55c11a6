package io.weir.internal.redis.connection;

import io.weir.internal.threads.DaemonThreadFactory;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes and stops the pools of the threads that talk to Redis: weir-redis-1 and so on. */
final class RedisThreadPools {
  private static final int MAX_WAITING = 1_000;
  private static final long IDLE_SECONDS = 30;

  private final ThreadFactory factory = DaemonThreadFactory.named("weir-redis");
  private final AtomicInteger last = new AtomicInteger();
  private final Collection<ThreadPoolExecutor> pools = new ConcurrentLinkedQueue<>();

  /** Makes a pool of a fixed size for calls that wait for Redis. */
  ThreadPoolExecutor pool(int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
            size,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            this::thread);
    pool.allowCoreThreadTimeOut(true);
    pools.add(pool);
    return pool;
  }

  /** Makes a scheduler of time-outs, which the caller shuts down; its tasks never wait. */
  ScheduledThreadPoolExecutor watch() {
    ScheduledThreadPoolExecutor watch = DaemonThreadFactory.scheduler(this::thread, 1);
    watch.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    watch.allowCoreThreadTimeOut(true);
    return watch;
  }

  private Thread thread(Runnable work) {
    Thread thread = factory.newThread(work);
    thread.setName("weir-redis-" + last.incrementAndGet());
    return thread;
  }

  /** Stops the pools from accepting tasks; those that wait still run. */
  void stop() {
    pools.forEach(ThreadPoolExecutor::shutdown);
  }

  /** Waits for the pools to end, for at most the given time each. */
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
