package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.problem.QueryTooLargeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class LargeQueriesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int MORE = 12;

  private final LargeQueries queries = new LargeQueries(database(), LONG);

  private static RuleDatabase database() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return DatabaseOpener.open(source, true);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Otherwise a page that is loaded again and again takes all threads, and checks wait for it. */
  @Test
  void aFewWaitAndFurtherOnesAreRefusedAtOnce() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    BlockingQueue<Boolean> refused = new LinkedBlockingQueue<>();
    List<Future<Boolean>> waiting = new ArrayList<>();
    try {
      Future<Boolean> running =
          threads.submit(
              () ->
                  queries.run(
                      "it can't be read",
                      "ask for less",
                      connection -> {
                        begun.countDown();
                        return await(end);
                      }));
      assertTrue(await(begun));
      for (int i = 0; i < LargeQueries.MAX_WAITING + MORE; i++) {
        waiting.add(
            threads.submit(
                () -> {
                  try {
                    return queries.run("it can't be read", "ask for less", connection -> true);
                  } catch (QueryTooLargeException busy) {
                    refused.add(true);
                    return false;
                  }
                }));
      }
      for (int i = 0; i < MORE; i++) {
        assertTrue(refused.poll(LONG.toSeconds(), TimeUnit.SECONDS));
      }
      QueryTooLargeException busy =
          assertThrows(
              QueryTooLargeException.class,
              () -> queries.run("it can't be read", "ask for less", connection -> true));
      assertEquals(
          "it can't be read: this node is busy with another large query; retry in a few seconds",
          busy.getMessage());
      end.countDown();
      assertTrue(running.get(LONG.toSeconds(), TimeUnit.SECONDS));
      assertEquals(LargeQueries.MAX_WAITING, served(waiting));
      String next = queries.run("it can't be read", "ask for less", connection -> "served");
      assertEquals("served", next);
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  private static long served(List<Future<Boolean>> all)
      throws InterruptedException, ExecutionException {
    long served = 0;
    for (Future<Boolean> each : all) {
      served += each.get() ? 1 : 0;
    }
    return served;
  }
}
