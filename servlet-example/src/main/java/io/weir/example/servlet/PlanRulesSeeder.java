package io.weir.example.servlet;

import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.tier.UserTier;
import java.util.List;

/** Fills an empty database with rules: three plans, and a customer with a key for each. */
final class PlanRulesSeeder {
  private static final String AUTHOR = "the example";
  private static final String PLAN = "/api/plan";
  private static final String QUOTA = "/api/quota";

  private PlanRulesSeeder() {}

  /** Adds the rules, unless the database has ever been changed before. */
  static void addTo(Rules rules) {
    try {
      if (rules.rules().all().isEmpty() && rules.history().latest(1).isEmpty()) {
        // First, or Weir warns meanwhile that callers that invent keys have no limit.
        save(
            rules,
            Rule.builder(Rule.EVERYBODY, PLAN).name("address").countBy(List.of("IP")).limit(600));
        plan(rules, "free", 10);
        plan(rules, "premium", 1_000);
        plan(rules, "enterprise", 100_000);
        customer(rules, "free-1", "free");
        customer(rules, "premium-1", "premium");
        customer(rules, "enterprise-1", "enterprise");
      }
    } catch (RulesUnavailableException away) {
      System.getLogger("example")
          .log(System.Logger.Level.WARNING, "The rules couldn't be written: " + away.getMessage());
    }
  }

  /** Adds a limit per minute, and a quota of ten times as much per month; 30 % may roll over. */
  private static void plan(Rules rules, String tier, long limit) {
    save(rules, Rule.builder(tier, PLAN).name("plan").limit(limit));
    save(
        rules,
        Rule.builder(tier, QUOTA)
            .name("quota")
            .window(RuleWindow.ofQuota())
            .limit(10 * limit)
            .maxRollover(3 * limit));
  }

  private static void save(Rules rules, RuleBuilder rule) {
    rules.rules().save(rule.build(), AUTHOR);
  }

  /** Adds a caller that sends a key. The table has only the digest of the key. */
  private static void customer(Rules rules, String key, String tier) {
    rules.users().save(UserTier.of(rules.userIdOfKey(key), tier), AUTHOR);
  }
}
