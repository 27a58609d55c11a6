package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A policy of a source replaces a bound one only if it counts in the same bucket. */
class AppliedPolicyReaderTest {
  private static final Policy BOUND = policy(same -> same);

  private final AppliedPolicyReader reader =
      new AppliedPolicyReader(
          new InProcessStore(new FakeTicker(), 1_000),
          policy -> {
            throw new AssertionError("nothing is read");
          });

  private static Policy policy(UnaryOperator<PolicyBuilder> other) {
    return other.apply(tokens("bucket").refill(5)).build();
  }

  private static PolicyBuilder tokens(String name) {
    return Policy.builder(name)
        .limit(10)
        .window(Duration.ofMinutes(1))
        .algorithm(Algorithm.TOKEN_BUCKET);
  }

  @Test
  void anotherLimitRefillOrBurstIsTheSameBucket() {
    assertTrue(reader.canReplace(BOUND, BOUND));
    assertTrue(reader.canReplace(BOUND, policy(other -> other.limit(20))));
    assertTrue(reader.canReplace(BOUND, policy(other -> other.refill(6))));
    assertTrue(reader.canReplace(tokens("a").build(), tokens("a").burst(3).build()));
  }

  @Test
  void whateverElseDiffersIsAnotherBucket() {
    assertFalse(reader.canReplace(BOUND, policy(other -> other.strict(true))), "strict");
    assertFalse(reader.canReplace(policy(other -> other.strict(true)), BOUND), "strict");
    assertFalse(reader.canReplace(BOUND, policy(other -> other.refill(0))), "refill");
    assertFalse(
        reader.canReplace(BOUND, policy(other -> other.window(Duration.ofMinutes(2)))), "window");
    Policy plain = tokens("a").build();
    assertFalse(
        reader.canReplace(plain, tokens("a").algorithm(Algorithm.LEAKY_BUCKET).build()),
        "algorithm");
    assertFalse(reader.canReplace(plain, tokens("b").build()), "name");
    PolicyBuilder login =
        Policy.builder("a").limit(5).by(By.KEY).count(Count.FAILURES).window(Duration.ofMinutes(1));
    Policy counted = login.build();
    assertFalse(reader.canReplace(counted, login.clearOn(ClearOn.SUCCESS).build()), "clearOn");
  }
}
