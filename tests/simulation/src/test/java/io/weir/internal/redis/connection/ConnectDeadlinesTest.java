package io.weir.internal.redis.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.redis.connection.ConnectDeadlines.Deadline;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectDeadlinesTest {
  private static final int ALLOWED = 200;
  private static final int LONGEST_BEHIND = 10_000;

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final VirtualClock clock = new VirtualClock(time, 0, 0, 0);
  private final VirtualScheduler watch = new VirtualScheduler(time);
  private final ConnectDeadlines deadlines = new ConnectDeadlines(watch, clock);
  private final Socket socket = new Socket();

  @AfterEach
  void close() throws IOException {
    socket.close();
  }

  private void pass(int millis) {
    time.run(Duration.ofMillis(millis));
  }

  private Deadline silentFrom(int millis) {
    long since = clock.nanoTime() + Duration.ofMillis(millis).toNanos();
    return deadlines.begin(socket, ALLOWED, now -> Math.max(0, now - since));
  }

  @Test
  void aSocketIsClosedOnceItsServerHasBeenSilentForTooLong() {
    try (Deadline deadline = silentFrom(300)) {
      pass(300 + ALLOWED - 1);
      assertFalse(socket.isClosed());
      pass(1);
      assertTrue(socket.isClosed());
      assertTrue(deadline.missed());
    }
  }

  @Test
  void aProcessThatIsSlowItselfHasLongerButNotForEver() {
    try (Deadline deadline = silentFrom(Integer.MAX_VALUE)) {
      pass(ALLOWED + LONGEST_BEHIND - 1);
      assertFalse(socket.isClosed());
      pass(1);
      assertTrue(deadline.missed());
    }
  }

  @Test
  void allTheTimeCountsWhereNothingElseIsSaid() {
    try (Deadline deadline = deadlines.begin(socket, ALLOWED)) {
      pass(ALLOWED - 1);
      assertFalse(deadline.missed());
      pass(1);
      assertTrue(socket.isClosed());
    }
  }

  @Test
  void aSocketThatIsReadyIsLeftAlone() {
    silentFrom(100).close();
    pass(2 * LONGEST_BEHIND);
    assertFalse(socket.isClosed());
  }

  @Test
  void whatIsNotReadyWhenAllIsClosedIsClosedToo() {
    try (Deadline deadline = silentFrom(Integer.MAX_VALUE)) {
      deadlines.close();
      assertTrue(deadline.missed());
      assertTrue(socket.isClosed());
    }
  }
}
