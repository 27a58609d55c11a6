package io.weir.internal.control.admin.rules;

import io.weir.Policy;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a tier in a few words.
 *
 * @param tier the tier
 * @param rules its rules of those patterns and windows; others stay as they are
 */
record TierRulesDocument(@Nullable String tier, @Nullable List<Item> rules) {
  private static final int MOST = 1_000;
  private static final int LONGEST_TIER = 50;
  private static final int LONGEST_PATTERN = 255;

  /** One of them: permits per window, which is in seconds. */
  record Item(
      @Described("The pattern") @Nullable String endpoint,
      @Nullable Long limit,
      @Described("Seconds") @Nullable Long window) {}

  /** All that were named, as they are now. */
  record Told(@Nullable String tier, List<RuleDocument> rules) {}

  static Told told(TierRulesDocument wanted, List<Rule> rules) {
    return new Told(
        wanted.tier(), rules.stream().map(each -> RuleDocument.of(each, null)).toList());
  }

  /** The rules to save: those that are there, with their new limits, and those that aren't. */
  List<Rule> applied(List<Rule> stored) {
    String wanted = FieldReader.required("tier", tier, LONGEST_TIER);
    if (rules == null || rules.isEmpty() || rules.size() > MOST) {
      throw new InvalidFieldException("rules", "must be a list of 1 to " + MOST + " rules");
    }
    List<Rule> all = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      try {
        Rule rule = rule(wanted, rules.get(i), stored);
        if (!seen.add(rule.pattern() + " " + rule.window())) {
          throw new InvalidFieldException("endpoint", "must be named once with each window");
        }
        all.add(rule);
      } catch (InvalidFieldException wrong) {
        throw wrong.in("rules[" + i + "]");
      }
    }
    return all;
  }

  private static Rule rule(String tier, @Nullable Item item, List<Rule> stored) {
    if (item == null) {
      throw new InvalidFieldException("", "must be an object");
    }
    String pattern = FieldReader.required("endpoint", item.endpoint(), LONGEST_PATTERN);
    long limit = FieldReader.required("limit", item.limit(), 1, Policy.MAX_LIMIT);
    long seconds = FieldReader.required("window", item.window(), 1, RuleWindow.MAX_SECONDS);
    for (Rule each : stored) {
      if (each.tier().equals(tier)
          && each.pattern().equals(pattern)
          && each.window().equals(RuleWindow.ofSeconds(seconds))) {
        return each.toBuilder().limit(limit).build();
      }
    }
    return Rule.builder(tier, pattern).limit(limit).window(RuleWindow.ofSeconds(seconds)).build();
  }
}
