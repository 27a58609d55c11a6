package io.weir.internal.rules.quotas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.internal.rules.usage.UsageBuffer.RowBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A write reaches the quotas of all users, whatever requests add meanwhile. */
class QuotaLedgerTest {
  private static final int USERS = 30;
  private static final int ROWS = 10;
  private static final int ROUND = USERS / ROWS;

  private final Instant begin = Instant.now().minus(Duration.ofDays(1));
  private final QuotaLedger ledger = new QuotaLedger(() -> false, Ticker.system());

  private void addAll() {
    Policy quota =
        Policy.builder(QuotaLedger.POLICY)
            .limit(1_000)
            .period(begin, begin.plus(Duration.ofDays(30)))
            .build();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Decision one = limiter.tryAcquire(quota, Key.everybody());
      for (int i = 0; i < USERS; i++) {
        ledger.add("user" + i, one);
      }
    }
  }

  /** Returns the number of batches that one write takes, at most a few more than needed. */
  private int write(Consumer<RowBatch> outcome) {
    ledger.gather();
    for (int batches = 1; ; batches++) {
      RowBatch batch = ledger.drain(ROWS).orElseThrow();
      outcome.accept(batch);
      if (!batch.isMore() || batches > 3 * ROUND) {
        return batches;
      }
    }
  }

  @Test
  void usersWithRequestsMeanwhileDontKeepItFromTheOthers() {
    addAll();
    assertEquals(
        ROUND,
        write(
            batch -> {
              batch.committed();
              addAll();
            }));
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenOnceMore() {
    addAll();
    boolean[] isFirst = {true};
    assertEquals(
        1 + ROUND,
        write(
            batch -> {
              if (isFirst[0]) {
                batch.failed(false);
              } else {
                batch.committed();
              }
              isFirst[0] = false;
            }));
  }
}
