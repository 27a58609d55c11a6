package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Policy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BucketIdTest {
  @Test
  void policiesAndCallersWithNamesInARowHaveHashesOfTheirOwn() {
    Set<Integer> hashes = new HashSet<>();
    for (int policy = 0; policy < 10; policy++) {
      BucketSpec spec = spec("policy" + policy);
      for (int caller = 1_000; caller < 10_000; caller++) {
        hashes.add(new BucketId(spec, Key.of("caller" + caller)).hashCode());
      }
    }
    assertEquals(10 * 9_000, hashes.size());
  }

  private static BucketSpec spec(String name) {
    return Policy.builder(name).limit(10).window(Duration.ofMinutes(1)).build().spec();
  }
}
