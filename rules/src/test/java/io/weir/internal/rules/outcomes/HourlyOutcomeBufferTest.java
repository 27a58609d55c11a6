package io.weir.internal.rules.outcomes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.rules.database.DatabaseClock;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.usage.UsageBuffer.RowBatch;
import io.weir.testkit.FakeTicker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/** Sums by policy and hour on their way into the database. */
class HourlyOutcomeBufferTest {
  private static final int ROOM = 3;

  private final FakeTicker ticker = new FakeTicker(Instant.parse("2020-01-01T00:00:00Z"));
  private final DatabaseClock clock = new DatabaseClock(ticker);
  private final OutcomeCounters counters = new OutcomeCounters();
  private final HourlyOutcomeBuffer buffer = new HourlyOutcomeBuffer(counters, clock, ROOM);
  private final DataSource source =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final RuleDatabase database = DatabaseOpener.open(source, true);

  private void decide(String... policies) {
    for (String name : policies) {
      Policy policy = Policy.builder(name).limit(1).window(Duration.ofHours(1)).build();
      try (RateLimiter limiter = RateLimiter.builder().build()) {
        Decision admission = limiter.tryAcquire(policy, Key.of("ann"));
        counters.decided(admission);
      }
    }
    buffer.gather();
  }

  private boolean write(int most) {
    Optional<RowBatch> batch = buffer.drain(most);
    if (batch.isEmpty()) {
      return false;
    }
    boolean unused =
        database.inTransaction(
            "can't be written",
            connection -> {
              batch.get().write(connection, database.dialect());
              return true;
            });
    batch.get().committed();
    return batch.get().isMore();
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT policy, EXTRACT(HOUR FROM starts_at AT TIME ZONE 'UTC'), admitted FROM"
                    + " weir.weir_outcomes_hourly ORDER BY starts_at, policy")) {
      while (row.next()) {
        rows.add(row.getString(1) + " at " + row.getInt(2) + ": " + row.getLong(3));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  @Test
  void theHourIsTheDatabasesHoweverWrongThisNodesClockIs() {
    clock.note(Instant.parse("2026-11-26T10:59:58Z"));
    decide("a");
    ticker.advance(Duration.ofSeconds(3));
    ticker.jumpWall(Duration.ofDays(400));
    decide("a", "a");
    assertFalse(write(100));
    assertEquals(List.of("a at 10: 1", "a at 11: 2"), rows());
  }

  @Test
  void whatIsWrittenIsAddedToWhatIsThere() {
    decide("a", "b");
    write(100);
    decide("b");
    write(100);
    assertEquals(List.of("a at 0: 1", "b at 0: 2"), rows());
    assertEquals(Optional.empty(), buffer.drain(100));
  }

  @Test
  void manyRowsAreWrittenInSeveralTransactions() {
    decide("a", "b", "c");
    assertTrue(write(2));
    assertFalse(write(2));
    assertEquals(3, rows().size());
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLater() {
    decide("a", "b");
    buffer.drain(100).orElseThrow().failed(false);
    decide("b");
    assertFalse(buffer.isRejected());
    write(100);
    assertEquals(List.of("a at 0: 1", "b at 0: 2"), rows());
  }

  @Test
  void whatMayHaveBeenWrittenIsNotRepeated() {
    decide("a");
    buffer.drain(100).orElseThrow().failed(true);
    assertTrue(buffer.isRejected());
    decide("b");
    write(100);
    assertFalse(buffer.isRejected());
    assertEquals(List.of("b at 0: 1"), rows());
  }

  @Test
  void whileTheDatabaseIsAwayTheNumberOfRowsIsBoundedAndNothingIsMissing() {
    decide("a", "b", "c", "d", "e", "a");
    ticker.advance(Duration.ofHours(1));
    decide("a", "b");
    write(100);
    assertEquals(List.of("* at 0: 2", "a at 0: 2", "b at 0: 1", "c at 0: 1", "* at 1: 2"), rows());
  }
}
