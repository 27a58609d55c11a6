package io.weir.internal.rules.quotas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.database.Dialect;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closes random months of one user by Weir's statements and by the simplest model. */
class RolloverModelTest {
  private static final long LIMIT = 100;
  private static final long MAX_OVER = 40;
  private static final QuotaTerms RULE = new QuotaTerms(LIMIT, MAX_OVER);
  private static final int MONTHS = 60;

  /** Models a grant that ends with a month. */
  private static final class Grant {
    final long id;
    final int lastMonth;
    long left;

    Grant(long id, int lastMonth, long left) {
      this.id = id;
      this.lastMonth = lastMonth;
      this.left = left;
    }
  }

  private static Instant begin(int month) {
    return LocalDate.of(2030, 1, 1).plusMonths(month).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void monthsAreAsTheSimplestModelHasThem(long seed) throws SQLException {
    Random random = new Random(seed);
    try (Connection connection =
        DriverManager.getConnection("jdbc:h2:mem:rollover" + seed, "sa", "")) {
      make(connection);
      List<Grant> grants = new ArrayList<>();
      long rollover = 0;
      boolean isFirst = true;
      for (int month = 0; month < MONTHS; month++) {
        if (random.nextInt(4) == 0) {
          Grant grant =
              new Grant(grants.size() + 1L, month + random.nextInt(4), 1 + random.nextInt(50));
          grants.add(grant);
          insert(connection, grant, month);
        }
        if (random.nextInt(4) == 0) { // no request comes
          rollover = isFirst ? 0 : MAX_OVER;
          continue;
        }
        isFirst = false;
        long granted = sum(grants, month);
        QuotaState state = settle(connection, month);
        assertEquals(rollover, state.rollover(), "rollover of month " + month);
        assertEquals(granted, state.granted(), "granted in month " + month);
        long used = random.nextInt((int) (LIMIT + rollover + granted) + 1);
        PeriodTable.add(
            connection,
            Dialect.H2,
            List.of(
                new PeriodTable.Addition(
                    "ann", state.period(), OptionalLong.empty(), OptionalLong.empty(), used)));
        use(grants, month, used - LIMIT - rollover);
        rollover = Math.min(MAX_OVER, Math.max(0, LIMIT - used));
      }
    }
  }

  private static long sum(List<Grant> grants, int month) {
    return grants.stream()
        .filter(each -> each.lastMonth >= month)
        .mapToLong(each -> each.left)
        .sum();
  }

  private static void use(List<Grant> grants, int month, long beyond) {
    List<Grant> sorted = new ArrayList<>(grants);
    sorted.sort(
        Comparator.<Grant>comparingInt(each -> each.lastMonth).thenComparing(each -> each.id));
    long open = beyond;
    for (Grant each : sorted) {
      long taken = each.lastMonth < month ? 0 : Math.max(0, Math.min(open, each.left));
      each.left -= taken;
      open -= taken;
    }
  }

  private static QuotaState settle(Connection connection, int month) throws SQLException {
    long now = BillingPeriod.micros(begin(month).plusSeconds(3_600));
    new UserPeriodCloser(account(connection, now), RULE, Map.of(), now)
        .write(connection, Dialect.H2);
    return QuotaState.of(account(connection, now), RULE, now);
  }

  private static QuotaAccount account(Connection connection, long now) throws SQLException {
    List<LedgerRow> rows =
        PeriodTable.latest(connection, List.of("ann")).getOrDefault("ann", List.of());
    List<QuotaGrant> grants = GrantTable.lock(connection, "ann");
    return new QuotaAccount("ann", Optional.<UserQuota>empty(), grants, rows, now);
  }

  private static void insert(Connection connection, Grant grant, int month) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO weir.quota_grants VALUES (?, 'ann', ?, ?, ?, ?)")) {
      statement.setLong(1, grant.id);
      statement.setLong(2, grant.left);
      statement.setLong(3, grant.left);
      // The end lies somewhere in its last month.
      statement.setObject(4, begin(grant.lastMonth).plusSeconds(grant.id).atOffset(ZoneOffset.UTC));
      statement.setObject(5, begin(month).atOffset(ZoneOffset.UTC));
      statement.executeUpdate();
    }
  }

  private static void make(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA weir");
      statement.execute(
          "CREATE TABLE weir.quota_grants (id BIGINT PRIMARY KEY, user_id VARCHAR, permits BIGINT,"
              + " remaining BIGINT, valid_until TIMESTAMP(6) WITH TIME ZONE,"
              + " created_at TIMESTAMP(6) WITH TIME ZONE)");
      statement.execute(
          "CREATE TABLE weir.quota_periods (user_id VARCHAR, starts_at TIMESTAMP(6) WITH TIME ZONE,"
              + " ends_at TIMESTAMP(6) WITH TIME ZONE, monthly_limit BIGINT, rollover BIGINT,"
              + " granted BIGINT, used BIGINT NOT NULL, closed_at TIMESTAMP(6) WITH TIME ZONE,"
              + " PRIMARY KEY (user_id, starts_at))");
    }
  }
}
