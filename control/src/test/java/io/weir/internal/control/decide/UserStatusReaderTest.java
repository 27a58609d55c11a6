package io.weir.internal.control.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** A user's status is read within a time-out. */
class UserStatusReaderTest {
  private static final int RULES = 10;

  private static LimitStatusAnswer status(LongSupplier nanoTime) {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    try (Rules rules = Rules.builder(database).timeout(Duration.ofSeconds(10)).build();
        Weir weir =
            Weir.builder()
                .settings(Map.of("weir.store.timeout", "10s"))
                .policySource(rules.policySource())
                .build()) {
      for (int i = 0; i < RULES; i++) {
        rules.rules().save(Rule.builder("free", "/api/" + i).limit(5).build(), "test");
      }
      rules.refresh();
      RequestDecider decider =
          new RequestDecider(weir.checker(), () -> KeyExpressions.NONE, Ticker.system());
      return new UserStatusReader(
              decider, AccessReader.of(WeirRuntime.of(weir)), rules, ticker(nanoTime))
          .of("alice");
    }
  }

  private static Ticker ticker(LongSupplier nanoTime) {
    return new Ticker() {
      @Override
      public long nanoTime() {
        return nanoTime.getAsLong();
      }

      @Override
      public long epochMicros() {
        return 0;
      }
    };
  }

  @Test
  void allRulesAreListedInTime() {
    LimitStatusAnswer all = status(() -> 0);
    assertEquals(RULES, all.rules().size());
    assertFalse(all.incomplete());
  }

  @Test
  void afterFiveSecondsTheRestIsMissingAndTheAnswerSaysSo() {
    AtomicLong seconds = new AtomicLong();
    LimitStatusAnswer some = status(() -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));
    assertEquals(4, some.rules().size());
    assertTrue(some.incomplete());
  }
}
