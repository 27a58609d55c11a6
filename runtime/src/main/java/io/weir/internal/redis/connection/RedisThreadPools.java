package io.weir.internal.redis.connection;

import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes and stops the pools of the threads that talk to Redis: weir-redis-1 and so on. */
final class RedisThreadPools {
  private static final int MAX_WAITING = 1_000;
  private static final long IDLE_SECONDS = 30;

  private final ThreadFactory factory;
  private final AtomicInteger last = new AtomicInteger();
  private final Collection<ThreadPoolExecutor> pools = new ConcurrentLinkedQueue<>();

  RedisThreadPools() {
    this(DaemonThreadFactory.named("weir-redis"));
  }

  /** Gives the threads of the factory other names. */
  RedisThreadPools(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Makes a pool of a fixed size for calls that wait for Redis. */
  ThreadPoolExecutor pool(int size) {
    ThreadPoolExecutor pool =
        new RejectingPool(this::thread, size, MAX_WAITING, Duration.ofSeconds(IDLE_SECONDS));
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

  static Failure failure(RejectedExecutionException why) {
    return Failure.away(
        why.getCause() == null
            ? "too many calls are waiting for Redis, or it is closed"
            : "no thread can be started: allow this process more threads");
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
