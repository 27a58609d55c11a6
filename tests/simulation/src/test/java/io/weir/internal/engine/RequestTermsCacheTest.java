package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.LoadCurve;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.region.RegionShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RequestTermsCacheTest {
  private static final Key KEY = Key.of("caller");

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
    RequestTerms first = cache.of(soft, KEY, 1, 100, 0);
    assertEquals(new RequestTerms(soft, 1, 100, 110, 110, 10), first);
    assertSame(first, cache.of(soft, KEY, 1, 100, 0));
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
      assertEquals(own, cache.of(policy, KEY, permits, limit, 0));
    }
  }

  @Test
  void elasticFollowsTheLoad() {
    Policy elastic = policy(Mode.ELASTIC);
    assertEquals(
        new RequestTerms(elastic, 1, 100, 110, 110, 10), cache.of(elastic, KEY, 1, 100, 0));
    load = 0.8;
    assertEquals(new RequestTerms(elastic, 1, 100, 100, 100, 0), cache.of(elastic, KEY, 1, 100, 0));
    load = 1;
    assertNull(
        cache.of(elastic, KEY, 1, 100, 0),
        "a refusal because of the node's load must be distinguishable");
  }

  /** A decision from a lease costs nothing more: its terms are at hand. */
  @Test
  void keysOfARegionShareTheTermsOfTwoParts() {
    RequestTermsCache divided =
        new RequestTermsCache(
            new LimitCalculator(
                () -> load,
                OutageReserve.NONE,
                LoadCurve::of,
                () -> 0,
                RegionShares.of("eu", Map.of("eu", 45, "us", 55)),
                lacking -> {}),
            checked::add);
    Policy soft = policy(Mode.SOFT);
    Set<RequestTerms> made = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 5_000; i++) {
      made.add(divided.of(soft, Key.of("caller" + i), 1, 50, 0));
    }
    assertEquals(
        Set.of(22L, 23L), made.stream().map(RequestTerms::limit).collect(Collectors.toSet()));
    assertEquals(2, made.size());
    assertEquals(50, made.iterator().next().wholeLimit());
    assertTrue(checked.size() <= 100, "made once for each remainder");
  }

  @Test
  void whatCanNeverBeThereIsNoOffer() {
    assertNull(cache.of(policy(Mode.HARD), KEY, 101, 100, 0));
  }

  @Test
  void whatTakesNothingIsNoOffer() {
    assertNull(cache.of(policy(Mode.HARD), KEY, 0, 100, 0));
  }

  @Test
  void refusesWhatIsNoRequest() {
    Policy policy = policy(Mode.HARD);
    assertThrows(IllegalArgumentException.class, () -> cache.of(policy, KEY, -1, 100, 0));
  }
}
