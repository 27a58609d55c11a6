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
 * The limits of a tier, in a short form.
 *
 * @param rules its limits by pattern and window; the tier's other rules stay as they are
 */
record TierRulesDocument(@Nullable String tier, @Nullable List<Item> rules) {
  private static final int MAX_RULES = 1_000;
  private static final int MAX_TIER = 50;
  private static final int MAX_PATTERN = 255;

  record Item(
      @Described("The pattern") @Nullable String endpoint,
      @Nullable Long limit,
      @Described("In seconds") @Nullable Long window) {}

  /** The rules of the request, as they are now. */
  record Saved(@Nullable String tier, List<RuleDocument> rules) {}

  static Saved saved(TierRulesDocument wanted, List<Rule> rules) {
    return new Saved(
        wanted.tier(), rules.stream().map(each -> RuleDocument.of(each, null)).toList());
  }

  /** Returns the rules to save: existing ones with their new limits, and new ones. */
  List<Rule> applied(List<Rule> stored) {
    String wanted = FieldReader.required("tier", tier, MAX_TIER);
    if (rules == null || rules.isEmpty() || rules.size() > MAX_RULES) {
      throw new InvalidFieldException("rules", "must be a list of 1 to " + MAX_RULES + " rules");
    }
    List<Rule> all = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      try {
        Rule rule = rule(wanted, rules.get(i), stored);
        if (!seen.add(rule.pattern() + " " + rule.window())) {
          throw new InvalidFieldException("endpoint", "must not be repeated with the same window");
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
    String pattern = FieldReader.required("endpoint", item.endpoint(), MAX_PATTERN);
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
