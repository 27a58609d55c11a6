package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Ticker;
import io.weir.internal.store.StoreFailureLog;
import io.weir.internal.store.StoreUnavailableException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A connection that is closed while claims wait for another attempt. Needs no Cassandra. */
class ClosedConnectionTest {
  private static final long PATIENCE_SECONDS = 60;

  private static CassandraConnection connection() {
    CassandraAddress address =
        CassandraAddress.parse(URI.create("cassandra://127.0.0.1:9/weir?dc=datacenter1"));
    return new CassandraConnection(
        address,
        new CassandraSettings(name -> ""),
        new StoreClock(Ticker.system()),
        Ticker.system(),
        new StoreFailureLog("Cassandra", Ticker.system()),
        (session, any) -> {});
  }

  @Test
  void anAttemptThatIsDueAfterTheCloseStillRunsAndFails() {
    CompletableFuture<BucketTable> claim = new CompletableFuture<>();
    CassandraConnection connection = connection();
    connection.later(
        TimeUnit.SECONDS.toNanos(2), // so that it waits at the close
        () -> {
          try {
            claim.complete(connection.table());
          } catch (RuntimeException failure) {
            claim.completeExceptionally(failure);
          }
        });
    connection.close();
    Throwable failure =
        assertThrows(ExecutionException.class, () -> claim.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
            .getCause();
    assertInstanceOf(StoreUnavailableException.class, failure);
    assertEquals("it is closed", failure.getMessage());
  }

  @Test
  void anAttemptToConnectAfterTheCloseFails() {
    CassandraConnection connection = connection();
    connection.close();
    Throwable failure =
        assertThrows(
                ExecutionException.class,
                () ->
                    connection
                        .connect()
                        .toCompletableFuture()
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
            .getCause();
    assertEquals("it is closed", failure.getMessage());
  }
}
