package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTermsCacheTest {
  private double load;
  private final List<Policy> checked = new ArrayList<>();
  private final RequestTermsCache cache =
      new RequestTermsCache(
          new LimitCalculator(() -> load, OutageReserve.NONE, LoadCurve::of, () -> 0),
          checked::add);

  private static Policy policy(Mode mode) {
    return Policy.builder("policy").limit(100).window(Duration.ofMinutes(1)).mode(mode).build();
  }

  @Test
  void whatIsTheSameForAllIsMadeOnce() {
    Policy soft = policy(Mode.SOFT);
    RequestTerms first = cache.of(soft, 1, 100, 0);
    assertEquals(new RequestTerms(soft, 1, 100, 110, 110, 10), first);
    assertSame(first, cache.of(soft, 1, 100, 0));
    assertEquals(List.of(soft), checked);
  }

  @Test
  void noTwoRequestsThatDifferGetTheOther() {
    Policy one = policy(Mode.HARD);
    Policy two = Policy.builder("two").limit(7).window(Duration.ofHours(1)).build();
    for (int i = 1; i <= 1_000; i++) {
      Policy policy = i % 2 == 0 ? one : two;
      long permits = 1L + i % 3;
      long limit = i + 2L;
      RequestTerms own = new RequestTerms(policy, permits, limit, limit, limit, 0);
      assertEquals(own, cache.of(policy, permits, limit, 0));
    }
  }

  @Test
  void elasticFollowsTheLoad() {
    Policy elastic = policy(Mode.ELASTIC);
    assertEquals(new RequestTerms(elastic, 1, 100, 110, 110, 10), cache.of(elastic, 1, 100, 0));
    load = 0.8;
    assertEquals(new RequestTerms(elastic, 1, 100, 100, 100, 0), cache.of(elastic, 1, 100, 0));
    load = 1;
    assertNull(
        cache.of(elastic, 1, 100, 0),
        "a refusal because of the node's load must be distinguishable");
  }

  @Test
  void whatCanNeverBeThereIsNoOffer() {
    assertNull(cache.of(policy(Mode.HARD), 101, 100, 0));
  }

  @Test
  void whatTakesNothingIsNoOffer() {
    assertNull(cache.of(policy(Mode.HARD), 0, 100, 0));
  }

  @Test
  void refusesWhatIsNoRequest() {
    Policy policy = policy(Mode.HARD);
    assertThrows(IllegalArgumentException.class, () -> cache.of(policy, -1, 100, 0));
  }
}
