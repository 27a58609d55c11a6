package io.weir.internal.writeback;

import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a write-back cache.
 *
 * <p>Immutable.
 *
 * @param flushInterval how often leases are topped up and idle permits given back, 10 ms to 10 s
 * @param storeTimeout how long a call to the store may take before its claims count as unanswered;
 *     more than 0
 * @param maxBuckets the largest number of buckets held, 1 and more
 * @param nodes the number of nodes that a limit is divided among until the store has said how many
 *     are alive, 1 and more
 * @param node this node's name, unique among all nodes that share the store; not empty
 * @param farLeases whether permits are also held for long, for infrequent callers
 */
public record WriteBackSettings(
    Duration flushInterval,
    Duration storeTimeout,
    long maxBuckets,
    int nodes,
    String node,
    boolean farLeases) {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /**
   * Validates.
   *
   * @throws IllegalArgumentException if a value is outside its range; the message names the rule
   */
  public WriteBackSettings {
    Objects.requireNonNull(storeTimeout, "storeTimeout");
    if (flushInterval.compareTo(SHORTEST) < 0 || flushInterval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "flushInterval must be 10 ms to 10 s, not " + DurationText.inWords(flushInterval));
    }
    if (storeTimeout.isNegative() || storeTimeout.isZero()) {
      throw new IllegalArgumentException(
          "storeTimeout must be positive, not " + DurationText.inWords(storeTimeout));
    }
    if (maxBuckets < 1) {
      throw new IllegalArgumentException("maxBuckets must be at least 1, not " + maxBuckets);
    }
    if (nodes < 1) {
      throw new IllegalArgumentException("nodes must be at least 1, not " + nodes);
    }
    if (node.isEmpty()) {
      throw new IllegalArgumentException("node must not be empty");
    }
  }
}
