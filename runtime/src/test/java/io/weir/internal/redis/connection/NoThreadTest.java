package io.weir.internal.redis.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.test.threads.ScarceThreads;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing is lost for good where no thread can be started for a while. */
class NoThreadTest {
  private static final HostAndPort SEED = new HostAndPort("seed", 1);

  private final AtomicInteger asked = new AtomicInteger();
  private final ScarceThreads threads = new ScarceThreads();

  private final Executor background =
      task -> {
        if (threads.isExhausted()) {
          throw new RejectedExecutionException("no thread can be started");
        }
        task.run();
      };

  @BeforeEach
  void exhaust() {
    threads.exhaust();
  }

  private ConnectionException silent() {
    asked.incrementAndGet();
    return new ConnectionException(Failure.away("it doesn't answer"));
  }

  @Test
  void aPoolRejectsTasksUntilThereIsOne() throws InterruptedException {
    RedisThreadPools pools = new RedisThreadPools(threads);
    ThreadPoolExecutor pool = pools.pool(2);
    RejectedExecutionException rejected =
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
    assertEquals(
        "no thread can be started: allow this process more threads",
        RedisThreadPools.failure(rejected).text());

    threads.recover();
    CountDownLatch runs = new CountDownLatch(1);
    pool.execute(runs::countDown);
    assertTrue(runs.await(1, TimeUnit.MINUTES));
    pools.stop();
  }

  @Test
  void aClusterIsAskedForItsMastersAgain() {
    ClusterTopology topology =
        new ClusterTopology(
            List.of(SEED),
            node -> {
              throw silent();
            },
            background,
            Ticker.system());
    threads.recover();
    topology.poll();
    assertEquals(1, asked.get());
  }

  @Test
  void sentinelsAreAskedForTheMasterAgain() {
    SentinelTopology topology =
        new SentinelTopology(
            List.of(SEED),
            "master",
            (node, words) -> {
              throw silent();
            },
            background);
    topology.poll();
    threads.recover();
    topology.poll();
    assertEquals(1, asked.get());
  }
}
