package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Priority;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SharedBucketTest {
  private static final Key ALICE = Key.user("alice");
  private static final RuleWindow DAY = RuleWindow.ofSeconds(86_400);

  @Test
  void whoIsUpgradedKeepsTheCount() {
    assertEquals(97, leftAfterThree(rule -> rule, "premium", rule -> rule.limit(100)));
  }

  @Test
  void aChangedLimitModePriorityOrStateKeepsTheBucket() {
    assertEquals(17, leftAfterThree(rule -> rule, "free", rule -> rule.limit(20)));
    assertEquals(7, leftAfterThree(rule -> rule, "free", rule -> rule.state(RuleState.SHADOW)));
    assertEquals(7, leftAfterThree(rule -> rule, "free", rule -> rule.priority(Priority.CRITICAL)));
  }

  @Test
  void aChangedRefillKeepsTheBucketAndATiersOwnDecides() {
    UnaryOperator<RuleBuilder> ofSteps = rule -> rule.algorithm(Algorithm.TOKEN_BUCKET).refill(2);
    assertEquals(
        7,
        leftAfterThree(ofSteps, "free", rule -> rule.algorithm(Algorithm.TOKEN_BUCKET).refill(5)));
    Policy premium =
        policy(rule("premium").algorithm(Algorithm.TOKEN_BUCKET).limit(100).refill(50));
    assertEquals(policy(ofSteps.apply(rule("free"))).spec(), premium.spec());
    assertEquals(50, premium.refillFor(premium.limit()));
    assertEquals(500, premium.refillFor(1_000), "a user's own limit");
  }

  @Test
  void anotherWindowAlgorithmBurstOrNameBeginsANewBucket() {
    assertEquals(
        10,
        leftAfterThree(rule -> rule, "free", rule -> rule.window(RuleWindow.ofSeconds(86_399))));
    assertEquals(
        10, leftAfterThree(rule -> rule, "free", rule -> rule.algorithm(Algorithm.FIXED_WINDOW)));
    assertEquals(10, leftAfterThree(rule -> rule, "free", rule -> rule.name("b")));
    UnaryOperator<RuleBuilder> bucket = rule -> rule.algorithm(Algorithm.TOKEN_BUCKET);
    assertEquals(
        9, leftAfterThree(bucket, "free", rule -> rule.algorithm(Algorithm.TOKEN_BUCKET).burst(9)));
    assertEquals(
        10,
        leftAfterThree(bucket, "free", rule -> rule.algorithm(Algorithm.TOKEN_BUCKET).refill(2)));
  }

  /** Takes three permits under one rule, and asks for what is left under another. */
  private static long leftAfterThree(
      UnaryOperator<RuleBuilder> before, String tier, UnaryOperator<RuleBuilder> after) {
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Policy first = policy(before.apply(rule("free")));
      for (int each = 0; each < 3; each++) {
        limiter.tryAcquire(first, ALICE);
      }
      return limiter.peek(policy(after.apply(rule(tier))), ALICE).remaining();
    }
  }

  private static Policy policy(RuleBuilder rule) {
    CompiledRulebook compiled = Compiling.of(rule.build()).compile();
    assertEquals(List.of(), compiled.problems());
    return compiled.rulebook().rules().get(0).policy(false);
  }

  private static RuleBuilder rule(String tier) {
    return Rule.builder(tier, "/a").name("a").limit(10).window(DAY);
  }
}
