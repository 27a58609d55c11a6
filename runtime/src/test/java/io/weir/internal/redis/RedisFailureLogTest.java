package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Ticker;
import io.weir.internal.redis.connection.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisFailureLogTest {
  private final Logger log = Logger.getLogger("io.weir");
  private final List<String> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel().getName());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private long now;
  private final RedisFailureLog alarms =
      new RedisFailureLog(
          "Redis",
          new Ticker() {
            @Override
            public long nanoTime() {
              return now;
            }

            @Override
            public long epochMicros() {
              return 0;
            }
          });

  @BeforeEach
  void listen() {
    log.addHandler(handler);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
  }

  @Test
  void oneLineForEachKindAndOneForItsEnd() {
    alarms.answered();
    for (int i = 0; i < 100; i++) {
      alarms.failed(Failure.of("OOM full"));
      alarms.answered();
      now += Duration.ofMillis(4_900).toNanos();
    }
    assertEquals(List.of("SEVERE"), lines);
    alarms.failed(Failure.of("NOPERM no"));
    now += Duration.ofMillis(100).toNanos();
    alarms.answered();
    assertEquals(List.of("SEVERE", "SEVERE", "INFO"), lines);
    now += Duration.ofMillis(4_900).toNanos();
    alarms.answered();
    alarms.answered();
    assertEquals(List.of("SEVERE", "SEVERE", "INFO", "INFO"), lines);
    alarms.failed(Failure.of("OOM full"));
    assertEquals("SEVERE", lines.get(4));
  }

  @Test
  void nothingForWhatPasses() {
    for (String text : List.of("READONLY x", "LOADING x", "MOVED 1 h:1", "CLUSTERDOWN x")) {
      alarms.failed(Failure.of(text));
    }
    assertEquals(List.of(), lines);
  }
}
