package io.weir.internal.rules.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.usage.Finished;
import io.weir.internal.rules.usage.UsageRecorder;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.rules.usage.WhatIfResult;
import io.weir.seeds.Seeds;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Very many callers and a year of hours. Each question has the right answer, or is ended by the
 * database and says what to ask instead; meanwhile usage is written, and small questions are
 * answered.
 */
class LargeUsageTest {
  private static final int USERS =
      Integer.getInteger("weir.test.users", Seeds.deep() ? 100_000 : 300);
  private static final int DAYS = Integer.getInteger("weir.test.days", Seeds.deep() ? 92 : 31);
  private static final Instant END = Instant.parse("2027-03-01T00:00:00Z");
  private static final Instant DAY = END.minus(1, ChronoUnit.DAYS);
  private static final Instant FIRST = END.minus(DAYS, ChronoUnit.DAYS);

  /** Users of whom a year of hours is kept. */
  private static final int KEPT = Math.min(USERS, Seeds.deep() ? 10 : 2);

  @TempDir private Path folder;

  private DataSource fresh(Dialect dialect) {
    if (dialect == Dialect.H2) {
      // Millions of rows in memory would be several gigabytes.
      return JdbcConnectionPool.create("jdbc:h2:file:" + folder.resolve("usage"), "sa", "");
    }
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  /** Each user sends 10 requests an hour on the last day, and 240 a day before. */
  private static void fill(DataSource source, Dialect dialect) throws SQLException {
    String last = moment(dialect, DAY, "h.x", "HOUR");
    String year = moment(dialect, END.minus(365, ChronoUnit.DAYS), "h.x", "HOUR");
    String days = moment(dialect, FIRST, "h.x", "DAY");
    TestSql.run(
        source,
        "INSERT INTO weir.usage_hourly SELECT 'user' || u.x, '/api/posts', "
            + last
            + ", 10, 0, 10, 2 FROM "
            + range(dialect, 1, USERS, "u")
            + ", "
            + range(dialect, 0, 23, "h"),
        "INSERT INTO weir.usage_hourly SELECT 'user' || u.x, '/api/posts', "
            + year
            + ", 10, 0, 10, 2 FROM "
            + range(dialect, 1, KEPT, "u")
            + ", "
            + range(dialect, 0, 364 * 24 - 1, "h"),
        "INSERT INTO weir.usage_daily SELECT 'user' || u.x, '/api/posts', "
            + days
            + ", 240, 0, 240, 2 FROM "
            + range(dialect, 1, USERS, "u")
            + ", "
            + range(dialect, 0, DAYS - 1, "h"),
        "UPDATE weir.usage_hourly SET requests = 500, peak_minute = 400 WHERE user_id = 'user7' AND"
            + " starts_at = TIMESTAMP WITH TIME ZONE '2027-02-28 05:00:00+00'",
        "UPDATE weir.usage_daily SET requests = 730, peak_minute = 400 WHERE user_id = 'user7' AND"
            + " starts_at = TIMESTAMP WITH TIME ZONE '2027-02-28 00:00:00+00'");
    if (dialect == Dialect.POSTGRESQL) {
      TestSql.run(source, "ANALYZE");
    }
  }

  private static String range(Dialect dialect, int from, int to, String alias) {
    return dialect == Dialect.H2
        ? "SYSTEM_RANGE(" + from + ", " + to + ") " + alias
        : "generate_series(" + from + ", " + to + ") " + alias + "(x)";
  }

  private static String moment(Dialect dialect, Instant begin, String number, String unit) {
    String first =
        "TIMESTAMP WITH TIME ZONE '" + begin.toString().replace("T", " ").replace("Z", "+00") + "'";
    return dialect == Dialect.H2
        ? "DATEADD(" + unit + ", " + number + ", " + first + ")"
        : first + " + " + number + " * INTERVAL '1 " + unit + "'";
  }

  private static WhatIfLimit limit(long limit, long seconds, Instant from) {
    return new WhatIfLimit(
        "/api/*",
        Set.of(),
        Optional.empty(),
        limit,
        Optional.of(Duration.ofSeconds(seconds)),
        Optional.empty(),
        from,
        END);
  }

  /** Answers, or says what to ask instead. */
  private static <T> Optional<T> answer(String what, Supplier<T> question) {
    long begin = System.nanoTime();
    try {
      return Optional.of(question.get());
    } catch (QueryTooLargeException tooLarge) {
      String message = String.valueOf(tooLarge.getMessage());
      assertTrue(message.contains(" s; ") || message.contains("retry"), message);
      return Optional.empty();
    } finally {
      if (Boolean.getBoolean("weir.test.figures")) {
        System.out.println(
            what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyQuestionIsAnsweredOrEndedAndHoldsUpNoOther(Dialect dialect) throws Exception {
    DataSource source = fresh(dialect);
    RuleDatabase database = DatabaseOpener.open(source, true);
    fill(source, dialect);
    ExecutorService others = Executors.newSingleThreadExecutor();
    try (UsageRecorder node =
        new UsageRecorder(database, true, Duration.ofDays(1), () -> "free", new FakeTicker(END))) {
      Usage usage = node.usage();
      WhatIfReader whatIf =
          new WhatIfReader(node.largeQueries(), () -> "free", new FakeTicker(END));
      Future<Long> written =
          others.submit(
              () -> {
                for (int i = 0; i < 20; i++) {
                  node.finished(Finished.admitted("writer", "/api/posts", END));
                  node.flush(Duration.ofMinutes(5));
                  assertEquals(24, usage.hours("user3", DAY, END).size());
                }
                return usage.total("writer").requests();
              });
      answer("endpoints of a day", () -> usage.endpoints(DAY, END, Optional.empty(), 10))
          .ifPresent(
              found -> {
                assertEquals(USERS, found.get(0).users());
                assertEquals(240L * USERS + 490, found.get(0).requests());
                assertEquals(400, found.get(0).peakMinute());
              });
      answer("endpoints of all days", () -> usage.endpoints(FIRST, END, Optional.empty(), 10))
          .ifPresent(found -> assertEquals(USERS, found.get(0).users()));
      answer(
              "endpoints by hours",
              () -> usage.endpoints(half(DAY), half(END), Optional.empty(), 10))
          .ifPresent(found -> assertEquals(USERS, found.get(0).users()));
      answer("tiers of all days", () -> usage.tiers(FIRST, END))
          .ifPresent(found -> assertEquals(USERS, found.get(0).users()));
      answer("users of all days", () -> usage.users(FIRST, END, Optional.empty(), 100))
          .ifPresent(found -> assertEquals("user7", found.get(0).userId()));
      answer("all users", () -> usage.users(DAY, END, Optional.empty(), 100_000))
          .ifPresent(found -> assertEquals(Math.min(USERS, 100_000), found.size()));
      answer("refused", () -> usage.mostRefused(DAY, END, 100))
          .ifPresent(found -> assertEquals(List.of(), found));
      answer("what if, an hour, a day", () -> whatIf.of(limit(100, 3_600, DAY)))
          .ifPresent(found -> assertOne(found, 400));
      answer("what if, a minute, all days", () -> whatIf.of(limit(300, 60, FIRST)))
          .ifPresent(found -> assertEquals(1, found.affectedCallers()));
      answer("what if, a day, all days", () -> whatIf.of(limit(240, 86_400, FIRST)))
          .ifPresent(found -> assertTrue(found.affectedCallers() >= 1));
      answer("what if that refuses all", () -> whatIf.of(limit(1, 3_600, DAY)))
          .ifPresent(found -> assertEquals(USERS, found.affectedCallers()));
      assertEquals(20, written.get(10, TimeUnit.MINUTES));
      assertEquals(24, usage.hours("user7", DAY, END).size());
    } finally {
      others.shutdownNow();
    }
  }

  private static Instant half(Instant day) {
    return day.minus(12, ChronoUnit.HOURS);
  }

  private static void assertOne(WhatIfResult found, long refused) {
    assertTrue(found.exact());
    assertEquals(USERS, found.callers());
    assertEquals(1, found.affectedCallers());
    assertEquals(refused, found.refusedRequests());
    assertEquals("user7", found.worst().get(0).userId());
  }
}
