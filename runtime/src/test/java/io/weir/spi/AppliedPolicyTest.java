package io.weir.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.Key;
import io.weir.Policy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AppliedPolicyTest {
  private final Policy policy = Policy.builder("a").limit(5).window(Duration.ofMinutes(1)).build();
  private final Policy other = Policy.builder("a").limit(7).window(Duration.ofMinutes(1)).build();

  @Test
  void keepsWhatWasGivenWithAnotherPolicy() {
    Key key = Key.of("k");
    AppliedPolicy moved =
        AppliedPolicy.of(policy).withLimit(3).withPermits(2).withKey(key).withPolicy(other);
    assertSame(other, moved.policy());
    assertEquals(3, moved.limit());
    assertEquals(2, moved.permits());
    assertEquals(Optional.of(key), moved.key());
  }

  @Test
  void takesTheLimitOfAnotherPolicyWhereNoneWasGiven() {
    AppliedPolicy moved = AppliedPolicy.of(policy).withPolicy(other);
    assertEquals(7, moved.limit());
    assertFalse(moved.isLimitGiven());
    assertFalse(moved.isCostGiven());
  }
}
