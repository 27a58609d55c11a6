package io.weir.internal.rules.quotas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.problem.RuleProblem;
import io.weir.testkit.FakeTicker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A ledger that can't be read, as a whole or in one row, takes nothing but itself. */
class UnreadableLedgerTest {
  private static final String LEDGER = "quota_periods";
  private static final String SCHEMA = "weir";

  private final FakeTicker ticker = new FakeTicker(Instant.parse("2026-05-15T00:00:00Z"));
  private final List<RuleProblem> problems = new ArrayList<>();
  private final String url = PostgresServer.shared().newDatabase();
  private final DataSource owner = PostgresServer.source(url);

  @BeforeEach
  void fill() {
    DatabaseOpener.open(owner, true)
        .insert(RuleTable.QUOTAS, Map.of("user_id", "ann", "monthly_limit", "5"), "alice");
    period("'2026-04-01Z'", "'2026-05-01Z'", 3);
    period("'2026-05-01Z'", "'2026-06-01Z'", 4);
  }

  private void period(String begin, String end, long used) {
    TestSql.run(
        owner,
        "INSERT INTO "
            + LEDGER
            + " (user_id, starts_at, ends_at, used) VALUES ('ann', "
            + begin
            + ", "
            + end
            + ", "
            + used
            + ")");
  }

  private QuotaAccount ann(RuleDatabase database) {
    return new QuotaAccountReader(database, ticker, () -> 0, problems::addAll).read("ann");
  }

  @Test
  void aRowThatCannotBeReadIsReportedAndLeftOut() {
    period("'infinity'", "'infinity'", 1);
    QuotaAccount account = ann(DatabaseOpener.open(owner, true));
    assertEquals(List.of(4L, 3L), account.rows().stream().map(LedgerRow::used).toList());
    assertEquals(5, account.settings().orElseThrow().monthlyLimit().orElseThrow());
    assertEquals(1, problems.size());
    assertTrue(problems.get(0).message().contains("can't be read, and is ignored"));
    assertTrue(problems.get(0).row().startsWith("user sha256:"), problems.get(0).row());
  }

  @Test
  void aLedgerThatMayNotBeReadCountsAsMissing() {
    String role = "ledger_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
    TestSql.run(
        owner,
        "CREATE ROLE " + role + " LOGIN",
        "GRANT USAGE ON SCHEMA " + SCHEMA + " TO " + role,
        "GRANT SELECT ON ALL TABLES IN SCHEMA " + SCHEMA + " TO " + role,
        "REVOKE SELECT ON " + LEDGER + " FROM " + role);
    RuleDatabase guest =
        DatabaseOpener.open(
            PostgresServer.source(url.replace("user=postgres", "user=" + role)), false);
    QuotaAccount account = ann(guest);
    assertEquals(List.of(), account.rows());
    assertEquals(5, account.settings().orElseThrow().monthlyLimit().orElseThrow());
    assertEquals(
        "the table may not be read: quotas have neither a ledger nor rollover",
        problems.get(0).message());
  }
}
