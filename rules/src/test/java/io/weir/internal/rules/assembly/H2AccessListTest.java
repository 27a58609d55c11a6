package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.access.AccessEntry;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.TestSql;
import io.weir.rules.AccessListRow;
import io.weir.rules.Rules;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

class H2AccessListTest extends AccessListContract {
  @Override
  DataSource fresh() {
    return H2MemoryTest.memory();
  }

  @Test
  void anApplicationDeniesWhomARowDeniesAndNoTrustedProxy() {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    Map<String, String> settings =
        Map.of("weir.rules", url, "weir.proxy.trusted", "10.0.0.1", "weir.store.timeout", "10s");
    try (Weir weir = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      Rules rules = Rules.of(weir).orElseThrow();
      AccessListRow row =
          rules
              .accessEntries()
              .save(AccessListRow.of(AccessEntry.parse("deny 203.0.113.0/24")), "alice");
      assertTrue(isDenied(weir, "203.0.113.7"));
      assertFalse(isDenied(weir, "203.0.112.7"));
      InvalidRuleException told =
          assertThrows(
              InvalidRuleException.class,
              () ->
                  rules
                      .accessEntries()
                      .save(row.with(AccessEntry.parse("deny 10.0.0.0/8")), "alice"));
      assertTrue(told.getMessage().contains("weir.proxy.trusted"), told.getMessage());
      TestSql.run(
          JdbcConnectionPool.create(url, "", ""),
          "UPDATE weir.access_list SET subject = '10.0.0.0/8'");
      rules.refresh();
      assertEquals(List.of(told.problems().get(0).message()), messages(rules));
      assertTrue(isDenied(weir, "203.0.113.7"), "the last good version");
      long version = rules.accessEntries().version(row.id()).orElseThrow();
      rules.accessEntries().delete(row.id(), version, "alice");
      assertFalse(isDenied(weir, "203.0.113.7"));
    }
  }

  private static List<String> messages(Rules rules) {
    return rules.problems().stream().map(problem -> problem.message()).toList();
  }

  private static boolean isDenied(Weir weir, String address) {
    GuardedRequest request =
        WeirRuntime.of(weir).withoutClass().enter(FakeRequest.from(address).endpoint("/api/a"));
    return request
        .decide(DecisionPhase.BEFORE_AUTHENTICATION)
        .filter(refusal -> refusal.status() == 403)
        .isPresent();
  }
}
