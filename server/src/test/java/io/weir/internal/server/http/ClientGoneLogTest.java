package io.weir.internal.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientGoneLogTest {
  private final Logger logger = Logger.getLogger("io.weir");
  private final List<String> logged = new ArrayList<>();
  private final FakeTicker ticker = new FakeTicker(Instant.parse("2027-01-31T10:00:00Z"));
  private final ClientGoneLog log = new ClientGoneLog(ticker);

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
  }

  private boolean isLoggable(Throwable thrown) {
    LogRecord record = new LogRecord(Level.SEVERE, "can't be written");
    record.setThrown(thrown);
    return log.isLoggable(record);
  }

  @Test
  void aMinutesFailuresAreOneLine() {
    for (int i = 0; i < 1_000; i++) {
      assertFalse(isLoggable(new UncheckedIOException(new IOException("reset"))));
    }
    ticker.advance(Duration.ofSeconds(60));
    assertFalse(isLoggable(new IOException("reset")));
    assertEquals(
        List.of(1, 1_000),
        logged.stream().map(each -> Integer.valueOf(each.replaceAll("\\D", ""))).toList());
  }

  @Test
  void otherFailuresAreLoggedAsTheyAre() {
    assertTrue(isLoggable(new IllegalStateException("a defect")));
    assertTrue(log.isLoggable(new LogRecord(Level.SEVERE, "a message alone")));
    assertEquals(List.of(), logged);
  }
}
