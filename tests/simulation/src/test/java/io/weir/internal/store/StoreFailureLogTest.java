package io.weir.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures that come and go, while other claims are answered. */
class StoreFailureLogTest {
  private static final String FULL =
      "SEVERE S can't be used by Weir: it is full. Until then each policy decides by its"
          + " onStoreFailure. Redis says: OOM";
  private static final String REFUSED =
      "SEVERE S can't be used by Weir: correct the login\n"
          + "Until then each policy decides by its onStoreFailure.";
  private static final String AGAIN = "INFO S can be used by Weir again.";
  private static final String AGAIN_FULL = "INFO S can be used by Weir again (OOM).";

  private final Logger log = Logger.getLogger("io.weir");
  private final List<String> lines = new ArrayList<>();
  private boolean isBroken;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel().getName() + " " + line.getMessage());
          if (isBroken) {
            throw new IllegalStateException("no space left");
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private final FakeTicker ticker = new FakeTicker();
  private final StoreFailureLog failures = new StoreFailureLog("S", ticker);

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
  void eachFailureIsLoggedOnceWhateverSucceedsBetween() {
    failures.answered();
    for (int i = 0; i < 100; i++) {
      failures.failed("OOM", "it is full", "Redis says: OOM");
      failures.answered();
      failures.failed("correct the login");
      ticker.advance(Duration.ofMillis(4_900));
    }
    assertEquals(List.of(FULL, REFUSED), lines);
  }

  @Test
  void theStoreWorksOnceNoFailureHasOccurredForAWhile() {
    failures.failed("OOM", "it is full", "Redis says: OOM");
    ticker.advance(Duration.ofMillis(4_900));
    failures.failed("correct the login");
    ticker.advance(Duration.ofMillis(100));
    failures.answered();
    failures.answered();
    assertEquals(List.of(FULL, REFUSED, AGAIN_FULL), lines);
    ticker.advance(Duration.ofMillis(4_900));
    failures.answered();
    failures.answered();
    assertEquals(List.of(FULL, REFUSED, AGAIN_FULL, AGAIN), lines);
    failures.failed("OOM", "it is full", "Redis says: OOM");
    assertEquals(List.of(FULL, REFUSED, AGAIN_FULL, AGAIN, FULL), lines);
  }

  @Test
  void aDriverThatSaysSomethingNewEachTimeFillsNeitherMemoryNorLog() {
    for (int i = 0; i < 1_000; i++) {
      failures.failed("correct " + i);
    }
    failures.failed("correct 0");
    assertEquals(17, lines.size());
    ticker.advance(Duration.ofSeconds(4));
    failures.failed("correct 1000");
    ticker.advance(Duration.ofSeconds(4));
    failures.answered();
    assertEquals(17, lines.size(), "the last one was 4 seconds ago");
    ticker.advance(Duration.ofSeconds(1));
    failures.answered();
    assertEquals(AGAIN, lines.get(17));
    failures.failed("correct the login");
    assertEquals(REFUSED, lines.get(18));
  }

  @Test
  void aStoreThatWasMendedWorksAtOnce() {
    failures.mended();
    failures.failed("correct the login");
    failures.mended();
    assertEquals(List.of(REFUSED, AGAIN), lines);
  }

  @Test
  void noAnswerIsLostBecauseTheLogIsBroken() {
    isBroken = true;
    failures.failed("correct the login");
    failures.mended();
    assertEquals(List.of(REFUSED, AGAIN), lines);
  }
}
