package io.weir.benchmarks.decisions.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A local bucket of Bucket4j for each caller, in a Caffeine cache that makes those that are
 * missing, asked with its probe, since only that reports what is left and when to come back: how
 * its reference shows the limiting of requests by caller. Lock-free and with a clock of
 * milliseconds, which are its defaults.
 */
@State(Scope.Benchmark)
public class Bucket4jPerKey {
  private Cache<String, Bucket> cache = Caffeine.newBuilder().build();

  /** Makes everybody's bucket. */
  @Setup
  public void fill(CallerNames callers) {
    cache = Caffeine.newBuilder().maximumSize(callers.room()).build();
    for (String text : callers.texts()) {
      take(text);
    }
  }

  /** Takes one permit. */
  public ConsumptionProbe take(String caller) {
    return cache.get(caller, Bucket4jPerKey::bucket).tryConsumeAndReturnRemaining(1);
  }

  private static Bucket bucket(String caller) {
    Duration day = Duration.ofDays(1);
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(CallerNames.LIMIT).refillGreedy(CallerNames.LIMIT, day))
        .build();
  }
}
