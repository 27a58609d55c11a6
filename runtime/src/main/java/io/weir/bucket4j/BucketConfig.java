package io.weir.bucket4j;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The limit in force for one claim, as Bucket4j counts it: so many tokens that are added evenly in
 * each window to a bucket that holds so many.
 *
 * <p>Immutable.
 *
 * @param limit tokens added in a window
 * @param burst tokens in a full bucket
 * @param window nanoseconds
 */
record BucketConfig(long limit, long burst, long window) {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE / 2);

  BucketConfig {
    if (limit > window) {
      throw new IllegalArgumentException(
          "Bucket4j adds at most one token a nanosecond, not "
              + limit
              + " in "
              + Duration.ofNanos(window));
    }
  }

  static BucketConfig of(Claim claim) {
    BucketSpec spec = claim.bucket().spec();
    if (spec.algorithm() != Algorithm.TOKEN_BUCKET) {
      throw new IllegalArgumentException("Bucket4j can't count by " + spec.algorithm());
    }
    return new BucketConfig(claim.effectiveLimit(), claim.burst(), spec.window().toNanos());
  }

  BucketConfiguration configuration() {
    Bandwidth bandwidth =
        Bandwidth.builder()
            .capacity(burst)
            .refillGreedy(limit, Duration.ofNanos(window))
            .initialTokens(burst)
            .build();
    return BucketConfiguration.builder().addLimit(bandwidth).build();
  }

  /** Whether a bucket is kept by these terms. */
  boolean are(BucketConfiguration other) {
    Bandwidth[] all = other.getBandwidths();
    return all.length == 1
        && all[0].isGready()
        && all[0].getCapacity() == burst
        && all[0].getRefillTokens() == limit
        && all[0].getRefillPeriodNanos() == window;
  }

  /**
   * Nanoseconds until so many tokens have been added.
   *
   * @param tokens how many
   * @param parts what has been added of the next one, in parts of 1/window
   * @return rounded up
   */
  long time(long tokens, long parts) {
    BigInteger wanted = product(tokens, window);
    if (wanted.bitLength() > 63) {
      // Bucket4j goes on with floating point here, and may be a token short of what it should be.
      wanted = product(tokens + 1, window);
    }
    BigInteger all = wanted.subtract(BigInteger.valueOf(parts));
    BigInteger up = all.add(BigInteger.valueOf(limit - 1)).divide(BigInteger.valueOf(limit));
    return up.max(BigInteger.ZERO).min(MOST).longValueExact();
  }

  /** How many tokens are added in so many nanoseconds; to the nearest. */
  long tokens(long nanos) {
    return product(nanos, limit)
        .add(BigInteger.valueOf(window / 2))
        .divide(BigInteger.valueOf(window))
        .min(MOST)
        .longValueExact();
  }

  private static BigInteger product(long one, long other) {
    return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
  }
}
