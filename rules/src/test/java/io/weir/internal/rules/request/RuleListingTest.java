package io.weir.internal.rules.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.rulebook.Compiling;
import io.weir.rules.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules that the log lists. */
class RuleListingTest {
  private static Rule rule(String tier, String pattern) {
    return Rule.builder(tier, pattern).limit(10).build();
  }

  /** Reads tier and pattern of each line. */
  private static List<String> listed(Rule... rules) {
    return RuleListing.of(Compiling.of(rules).rulebook()).stream()
        .skip(1)
        .map(line -> line.replaceFirst(".*, tier (\\S+), (.*?): .*", "$1 $2"))
        .toList();
  }

  @Test
  void thoseOfPoliciesComeFirstThenByPatternAndTier() {
    assertEquals(
        List.of("gold policy:b", "free /a", "gold /a", "free /b"),
        listed(
            rule("free", "/b"), rule("gold", "/a"), rule("free", "/a"), rule("gold", "policy:b")));
  }
}
