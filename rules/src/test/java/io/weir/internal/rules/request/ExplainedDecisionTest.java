package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.SwitchState;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.explanation.Explanation.Part;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.seeds.Seeds;
import io.weir.spi.CallerTier;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares what an explanation says is in force with what a decision takes, for random rulebooks.
 */
class ExplainedDecisionTest {
  private static final Instant START = FakeTicker.START;
  private static final List<String> TIERS = List.of("free", "gold", "silver", "*");
  private static final List<String> PATTERNS =
      List.of("policy:buy", "policy:buy", "policy:fill", "/buy", "/*");

  static class Shop {
    @RateLimit(
        limit = 10,
        window = 60,
        name = "buy",
        by = By.USER,
        tiers = {@Tier(name = "gold", limit = 20), @Tier(name = "silver", limit = 15)})
    @RateLimit(
        limit = 10,
        window = 3600,
        name = "fill",
        by = By.USER,
        algorithm = io.weir.annotation.Algorithm.TOKEN_BUCKET,
        refill = 9)
    public void buy() {}
  }

  /** One caller and one rulebook. */
  private static final class Case implements AutoCloseable {
    private final Random random;
    private final RuleRequests app = new RuleRequests();
    private Optional<String> tier = Optional.empty();

    Case(Random random) {
      this.random = random;
      int rules = random.nextInt(8);
      for (int i = 0; i < rules; i++) {
        app.rule(rule());
      }
      if (random.nextInt(3) > 0) {
        app.users.put("alice", user());
      }
      while (random.nextInt(4) == 0) {
        app.switches.add(
            new PolicySwitch(
                one(List.of("*", "buy", "fill", "tried", "named")),
                one(List.of(SwitchState.values())),
                START.plusSeconds(random.nextInt(120) - 60),
                "a test",
                "the test"));
      }
      if (random.nextInt(4) == 0) {
        tier = Optional.of(one(TIERS));
        app.tier = CallerTier.named(tier.get());
      }
      if (random.nextInt(4) == 0) {
        app.set("weir.policy.buy.limit", "11");
      }
      app.start();
    }

    private <T> T one(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    private Rule rule() {
      String pattern = one(PATTERNS);
      RuleBuilder rule =
          Rule.builder(one(TIERS), pattern)
              .limit(1 + random.nextInt(50))
              .state(one(List.of(RuleState.values())))
              .updated(Optional.of(START.minusSeconds(random.nextInt(100))), "");
      if (random.nextInt(4) == 0) {
        rule.name(pattern.startsWith("/") ? "named" : "tried"); // so that they share no bucket
      }
      if (random.nextInt(4) == 0) {
        rule.window(RuleWindow.ofSeconds(3600));
      }
      if (random.nextInt(4) == 0) {
        rule.validFrom(START.plusSeconds(random.nextInt(120) - 60));
      }
      return rule.build();
    }

    private UserTier user() {
      List<OwnLimit> own = new ArrayList<>();
      while (random.nextInt(3) == 0) {
        Optional<Duration> window =
            random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofMinutes(1));
        own.add(
            new OwnLimit(
                one(List.of("policy:buy", "/buy", "tried", "named")),
                100 + random.nextInt(50),
                window));
      }
      return new UserTier(
          "alice",
          one(List.of("free", "gold", "silver", "platinum")),
          own,
          one(List.of(UserState.values())),
          random.nextInt(4) == 0
              ? Optional.of(START.plusSeconds(random.nextInt(120) - 60))
              : Optional.empty(),
          1);
    }

    List<String> decided() {
      RuleRequests.Outcome outcome = app.send(get("/buy", "alice"), Shop.class, "buy");
      return outcome.isDecided()
          ? outcome.decision().parts().stream()
              .map(each -> line(each.policy().name(), each.limit(), each.policy().shadow()))
              .sorted()
              .toList()
          : List.of();
    }

    List<String> explained() {
      List<Part> parts = explanation().parts();
      return parts.stream()
          .filter(each -> each.holds() && each.limit() > 0)
          .map(each -> line(each.policy(), each.limit(), isMeasured(each, parts)))
          .sorted()
          .toList();
    }

    private static boolean isMeasured(Part part, List<Part> parts) {
      String only = "only measure";
      return part.reason().contains(only)
          || parts.stream()
              .anyMatch(
                  each ->
                      each.policy().equals(part.policy())
                          && each.source().equals("switch")
                          && each.reason().contains(only));
    }

    private static String line(String policy, long limit, boolean isMeasured) {
      return policy + " " + limit + (isMeasured ? ", only measured" : "");
    }

    Explanation explanation() {
      return app.source.explain(
          new ExplainedRequest("GET", "/buy", Optional.of("alice"), Optional.empty(), tier));
    }

    @Override
    public void close() {
      app.close();
    }
  }

  @Test
  void theLimitsSaidToBeInForceAreThoseThatTheDecisionTakes() {
    Seeds.each(
        150,
        random -> {
          try (Case one = new Case(random)) {
            List<String> decided = one.decided();
            assertEquals(decided, one.explained(), () -> one.explanation() + " " + one.app.rules);
          }
        });
  }
}
