package io.weir.example.servlet;

import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.Rules;
import io.weir.rules.RulesUnavailableException;
import io.weir.rules.UserTier;
import java.util.List;

/** The rules that an empty database gets: three plans, and somebody with a key for each. */
final class PlanRules {
  private static final String AUTHOR = "the example";
  private static final String PLAN = "/api/plan";

  private PlanRules() {}

  /** Puts them in; a database that anybody has changed already stays as it is. */
  static void putInto(Rules rules) {
    try {
      if (rules.rules().all().isEmpty() && rules.history().latest(1).isEmpty()) {
        save(rules, Rule.builder("free", PLAN).name("plan").limit(10));
        save(rules, Rule.builder("premium", PLAN).name("plan").limit(1_000));
        save(rules, Rule.builder("enterprise", PLAN).name("plan").limit(100_000));
        save(
            rules,
            Rule.builder(Rule.EVERYBODY, PLAN).name("address").countBy(List.of("IP")).limit(600));
        customer(rules, "free-1", "free");
        customer(rules, "premium-1", "premium");
        customer(rules, "enterprise-1", "enterprise");
      }
    } catch (RulesUnavailableException away) {
      System.getLogger("example")
          .log(System.Logger.Level.WARNING, "The rules aren't there yet: {0}", away.getMessage());
    }
  }

  private static void save(Rules rules, RuleBuilder rule) {
    rules.rules().save(rule.build(), AUTHOR);
  }

  /** Who sends a key; the table has its digest alone. */
  private static void customer(Rules rules, String key, String tier) {
    rules.users().save(UserTier.of(rules.userIdOfKey(key), tier), AUTHOR);
  }
}
