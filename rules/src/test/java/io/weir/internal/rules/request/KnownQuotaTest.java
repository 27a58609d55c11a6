package io.weir.internal.rules.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownQuotaTest {
  private static final int UNAVAILABLE = 503;

  @Test
  void theLastKnownFiguresDecideInTheirOwnPeriodAlone() {
    try (RuleRequests requests = new RuleRequests()) {
      requests
          .rule(Rule.builder("free", "/api/*").limit(10).window(RuleWindow.ofQuota()).build())
          .start();
      long now = requests.ticker.epochMicros();
      requests.accounts.put(
          "ann", new QuotaAccount("ann", Optional.empty(), List.of(), List.of(), now));
      assertTrue(requests.send(RuleRequests.get("/api/posts", "ann")).isAdmitted());

      requests.isAway = true;
      requests.directory.drop(List.of("ann"));
      RuleRequests.Outcome known = requests.send(RuleRequests.get("/api/posts", "ann"));
      assertTrue(known.isAdmitted());
      assertEquals(8, known.decision().remaining());
      assertEquals(
          UNAVAILABLE,
          requests.send(RuleRequests.get("/api/posts", "bob")).refusal().orElseThrow().status());

      requests.ticker.advance(Duration.ofDays(32));
      assertEquals(
          UNAVAILABLE,
          requests.send(RuleRequests.get("/api/posts", "ann")).refusal().orElseThrow().status());
    }
  }
}
