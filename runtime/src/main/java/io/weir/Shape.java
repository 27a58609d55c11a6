package io.weir;

import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.Objects;

/**
 * The part of a policy that its buckets are made of. With another shape a caller has another
 * bucket; whatever else of a policy changes (its limit above all), the count goes on.
 *
 * <p>Immutable.
 *
 * @param name the policy's name, {@code [A-Za-z0-9._-]{1,64}}
 * @param algorithm how permits are counted over time
 * @param window 10 ms to 366 days, in whole microseconds
 * @param burst permits at once for the bucket algorithms, 0 to 1,000,000,000; 0: the limit for
 *     TOKEN_BUCKET, one for LEAKY_BUCKET, and required for the window algorithms
 */
public record Shape(String name, Algorithm algorithm, Duration window, long burst) {
  private static final int LONGEST_NAME = 64;
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(366);

  /**
   * Validates.
   *
   * @param name see the record
   * @param algorithm see the record
   * @param window see the record
   * @param burst see the record
   * @throws IllegalArgumentException if a value is outside its range; the message names the rule
   */
  public Shape {
    Objects.requireNonNull(algorithm, "algorithm");
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name must match [A-Za-z0-9._-]{1,64}, not '" + name + "'");
    }
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("window must be 10 ms to 366 days, not " + window);
    }
    if (window.toNanos() % 1_000 != 0) {
      throw new IllegalArgumentException("window must be whole microseconds, not " + window);
    }
    if (burst < 0 || burst > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("burst must be 0 to 1,000,000,000, not " + burst);
    }
    if (burst > 0 && !isBucket(algorithm)) {
      throw new IllegalArgumentException(
          "burst is for TOKEN_BUCKET and LEAKY_BUCKET, not " + algorithm);
    }
  }

  /**
   * The window as the algorithms count it.
   *
   * @return microseconds, 10,000 and more
   */
  public long windowMicros() {
    return window.toNanos() / 1_000;
  }

  private static boolean isName(String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      return false;
    }
    for (int at = 0; at < name.length(); at++) {
      if (!isFit(name.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFit(char letter) {
    return letter >= 'a' && letter <= 'z'
        || letter >= 'A' && letter <= 'Z'
        || letter >= '0' && letter <= '9'
        || letter == '.'
        || letter == '_'
        || letter == '-';
  }

  private static boolean isBucket(Algorithm algorithm) {
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }
}
