package io.weir.spring.moving.before;

import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** The plans of the page, with Bucket4j. */
@Component
class PricingPlans {
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  Bucket bucketOf(String apiKey) {
    return buckets.computeIfAbsent(apiKey, PricingPlans::newBucket);
  }

  private static Bucket newBucket(String apiKey) {
    int perHour = perHour(apiKey);
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perHour).refillGreedy(perHour, Duration.ofHours(1)))
        .build();
  }

  private static int perHour(String apiKey) {
    if (apiKey.startsWith("PX")) {
      return 100;
    }
    return apiKey.startsWith("BX") ? 40 : 20;
  }
}
