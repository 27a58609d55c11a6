package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each node selects the same one of two rules for one place, however the rows come. */
class TiedRulesTest {
  private static final Instant THEN = Instant.parse("2026-06-01T00:00:00Z");

  private static Rule rule(long id, RuleState state, Instant updatedAt) {
    return Rule.builder("free", "/a")
        .name("one")
        .limit(10)
        .state(state)
        .row(id, 1)
        .updated(Optional.of(updatedAt), "root")
        .build();
  }

  private static void assertWins(long id, Rule one, Rule other) {
    for (List<Rule> rows : List.of(List.of(one, other), List.of(other, one))) {
      assertEquals(
          List.of(id),
          Compiling.of(rows.toArray(Rule[]::new)).rulebook().rules().stream()
              .map(each -> each.rule().id())
              .toList());
    }
  }

  @Test
  void ofTwoThatWereChangedTogetherTheOneWithTheGreaterIdIsInForce() {
    assertWins(2, rule(1, RuleState.ENFORCED, THEN), rule(2, RuleState.ENFORCED, THEN));
  }

  @Test
  void theOneThatWasChangedLaterIsInForceWhateverItsId() {
    assertWins(
        1, rule(1, RuleState.ENFORCED, THEN.plusSeconds(1)), rule(2, RuleState.ENFORCED, THEN));
  }
}
