package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Ticker;
import io.weir.test.threads.ScarceThreads;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Threads that can't be started, as where a container limits their number. */
class PostgresWorkersTest {
  private final ScarceThreads threads = new ScarceThreads();

  private PostgresWorkers workers() {
    Ticker ticker = Ticker.system();
    PostgresSettings settings =
        new PostgresSettings(name -> Databases.PATIENT.getOrDefault(name, ""));
    PostgresAddress address = PostgresAddress.parse(URI.create(Databases.shared()));
    return Databases.workers(
        new DriverConnections(address, settings, ticker), settings, ticker, threads);
  }

  @Test
  void whatIsQueuedMeanwhileWaitsForTheNextCall() {
    try (PostgresWorkers workers = workers()) {
      threads.exhaust();
      CompletableFuture<Integer> waiting = workers.submit(session -> 1);
      assertFalse(waiting.isDone());
      threads.recover();
      assertEquals(2, workers.submit(session -> 2).join());
      assertEquals(1, waiting.join());
    }
  }
}
