package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Scope;
import io.weir.rules.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RulePolicyFactoryTest {
  @Test
  void anotherLimitLeavesThePolicyInItsBucket() {
    Policy bound =
        Policy.builder("login")
            .limit(5)
            .window(Duration.ofMinutes(15))
            .by(By.KEY)
            .keys("header:X-Account")
            .count(Count.FAILURES)
            .clearOn(ClearOn.SUCCESS)
            .scope(Scope.REGION)
            .build();
    Rule rule = Rule.builder("free", "login").limit(20).build();
    Policy changed = RulePolicyFactory.over(rule, bound).orElseThrow();
    assertEquals(20, changed.limit());
    assertEquals(bound.spec(), changed.spec());
    assertEquals(ClearOn.SUCCESS, changed.clearOn());
  }
}
