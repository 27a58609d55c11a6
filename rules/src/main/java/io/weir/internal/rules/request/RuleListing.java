package io.weir.internal.rules.request;

import io.weir.annotation.ClearOn;
import io.weir.annotation.Scope;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Lists the rules below the start-up table: those of annotated policies first. */
final class RuleListing {
  private static final int MAX_LINES = 50;

  private RuleListing() {}

  static List<String> of(Rulebook book) {
    List<CompiledRule> rules = new ArrayList<>(book.rules());
    if (rules.isEmpty()) {
      return List.of();
    }
    rules.sort(
        Comparator.comparing((CompiledRule each) -> !each.rule().isForPolicy())
            .thenComparing(each -> each.rule().pattern())
            .thenComparing(each -> each.rule().tier()));
    List<String> lines = new ArrayList<>();
    lines.add("Rules of the database, " + rules.size() + " in all:");
    rules.stream().limit(MAX_LINES).map(RuleListing::line).forEach(lines::add);
    if (rules.size() > MAX_LINES) {
      lines.add("  … and " + (rules.size() - MAX_LINES) + " more");
    }
    return lines;
  }

  private static String line(CompiledRule each) {
    Rule rule = each.rule();
    return String.format(
        Locale.ROOT,
        "  rule %s, tier %s, %s: %s, %d per %s%s%s%s%s",
        rule.origin().orElse(Long.toString(rule.id())),
        rule.tier(),
        rule.pattern(),
        each.name(),
        rule.limit(),
        rule.window().inWords(),
        each.policy(false).clearOn() == ClearOn.SUCCESS ? ", cleared by SUCCESS" : "",
        each.policy(false).scope() == Scope.REGION ? ", in each region" : "",
        rule.state() == RuleState.SHADOW ? ", only measures" : "",
        rule.isForPolicy() ? " (replaces the policy's limit; its window stays)" : "");
  }
}
