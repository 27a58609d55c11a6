package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.access.AccessAction;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.rules.AccessListRow;
import io.weir.rules.Rules;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class H2BansTest extends BansContract {
  @Override
  DataSource fresh() {
    return H2MemoryTest.memory();
  }

  static class Shop {
    @RateLimit(limit = 100, window = 60, name = "login", banAfter = 2, banFor = 600, banOn = "401")
    public void login() {}
  }

  /** Answers as a log-in that refuses each password. */
  private static int guess(Weir weir, String address) throws NoSuchMethodException {
    GuardedRequest request =
        WeirRuntime.of(weir)
            .endpoint(Shop.class, Shop.class.getMethod("login"), EndpointType.SERVLET)
            .enter(FakeRequest.from(address).endpoint("/login"));
    int status =
        request.decide(DecisionPhase.BEFORE_AUTHENTICATION).map(each -> each.status()).orElse(401);
    request.completed(status);
    return status;
  }

  private static void await(BooleanSupplier happened) {
    long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!happened.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, "never happened");
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void whoOneNodeBansIsOutOnTheOtherUntilSomebodyLiftsTheBan() throws Exception {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    Map<String, String> settings =
        Map.of("weir.rules", url, "weir.store.timeout", "10s", "weir.bans.max", "50");
    try (Weir one = Weir.builder().onlyGivenSettings().settings(settings).build();
        Weir other = Weir.builder().onlyGivenSettings().settings(settings).build()) {
      Rules rules = Rules.of(other).orElseThrow();
      for (int guess = 0; guess < 2; guess++) {
        assertEquals(401, guess(one, "203.0.113.7"));
      }
      assertEquals(429, guess(one, "203.0.113.7"), "at once");
      await(
          () -> {
            rules.refresh();
            return !other.bans().isEmpty();
          });
      assertEquals(429, guess(other, "203.0.113.7"));
      assertEquals(401, guess(other, "203.0.113.8"));
      List<AccessListRow> bans =
          rules.accessEntries().list(Optional.of(AccessAction.BAN), Long.MAX_VALUE, 10);
      assertEquals(1, bans.size());
      assertEquals("policy:login:ip:203.0.113.7", bans.get(0).entry().subject().toString());

      rules.accessEntries().delete(bans.get(0).id(), bans.get(0).version(), "alice");
      Rules.of(one).orElseThrow().refresh();
      for (Weir each : List.of(one, other)) {
        assertEquals(401, guess(each, "203.0.113.7"));
      }
    }
  }
}
