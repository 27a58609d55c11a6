package io.weir.internal.region;

import java.time.Duration;
import java.util.Optional;

/**
 * One region's count of a bucket, as its own store has it.
 *
 * <p>Immutable.
 *
 * @param region its name
 * @param isOwn whether this node is in it
 * @param limit permits per window that it admits to the caller; 0 if its part is less than one
 * @param answer what its store says; empty if it doesn't
 * @param silence why it doesn't say anything; empty if it does
 */
public record RegionCount(
    String region, boolean isOwn, long limit, Optional<Answer> answer, Optional<String> silence) {
  /**
   * The answer of a store.
   *
   * @param used permits of the window that are used, and may exceed the limit; those of a bucket up
   *     to its burst
   * @param remaining permits that the caller may still take there, 0 up to the limit
   * @param resetAfter the time until there are more; zero if there can't be
   */
  public record Answer(long used, long remaining, Duration resetAfter) {}
}
