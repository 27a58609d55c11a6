package io.weir.example.servlet;

import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.tier.UserTier;
import java.util.List;

/** The rules that an empty database gets: three plans, and somebody with a key for each. */
final class PlanRules {
  private static final String AUTHOR = "the example";
  private static final String PLAN = "/api/plan";
  private static final String QUOTA = "/api/quota";

  private PlanRules() {}

  /** Puts them in; a database that anybody has changed already stays as it is. */
  static void putInto(Rules rules) {
    try {
      if (rules.rules().all().isEmpty() && rules.history().latest(1).isEmpty()) {
        plan(rules, "free", 10);
        plan(rules, "premium", 1_000);
        plan(rules, "enterprise", 100_000);
        save(
            rules,
            Rule.builder(Rule.EVERYBODY, PLAN).name("address").countBy(List.of("IP")).limit(600));
        customer(rules, "free-1", "free");
        customer(rules, "premium-1", "premium");
        customer(rules, "enterprise-1", "enterprise");
      }
    } catch (RulesUnavailableException away) {
      System.getLogger("example")
          .log(System.Logger.Level.WARNING, "The rules can't be written yet: " + away.getMessage());
    }
  }

  /** So many requests a minute, and ten times as many a month, of which a third may roll over. */
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

  /** Who sends a key; the table has its digest alone. */
  private static void customer(Rules rules, String key, String tier) {
    rules.users().save(UserTier.of(rules.userIdOfKey(key), tier), AUTHOR);
  }
}
