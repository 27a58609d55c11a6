package io.weir.bucket4j;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The effective limit of one claim as Bucket4j's configuration: tokens added evenly over each
 * window, and the size of the bucket.
 *
 * <p>Immutable.
 *
 * @param limit tokens added in a window
 * @param burst tokens in a full bucket
 * @param window nanoseconds
 */
record BucketConfig(long limit, long burst, long window) {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE / 2);

  BucketConfig {
    if (limit > window) {
      throw new IllegalArgumentException(
          "Bucket4j supports at most one permit per nanosecond, not "
              + limit
              + " per "
              + window / 1_000
              + " microseconds");
    }
  }

  static BucketConfig of(Claim claim) {
    BucketSpec spec = claim.bucket().spec();
    if (spec.algorithm() != Algorithm.TOKEN_BUCKET) {
      throw new IllegalArgumentException(
          "Bucket4j doesn't support the algorithm " + spec.algorithm());
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

  /** Returns whether a bucket has this configuration. */
  boolean equalTo(BucketConfiguration other) {
    Bandwidth[] all = other.getBandwidths();
    return all.length == 1
        && all[0].isGready()
        && all[0].getCapacity() == burst
        && all[0].getRefillTokens() == limit
        && all[0].getRefillPeriodNanos() == window;
  }

  /**
   * Computes how long it takes to add some tokens.
   *
   * @param tokens the number of tokens
   * @param parts the part of the next token that has been added already, in units of 1/window
   * @return nanoseconds, rounded up
   */
  long time(long tokens, long parts) {
    BigInteger wanted = product(tokens, window);
    if (wanted.bitLength() > 63) {
      // Bucket4j uses floating point here, and may be one token short.
      wanted = product(tokens + 1, window);
    }
    BigInteger all = wanted.subtract(BigInteger.valueOf(parts));
    BigInteger up = all.add(BigInteger.valueOf(limit - 1)).divide(BigInteger.valueOf(limit));
    return up.max(BigInteger.ZERO).min(MAX).longValueExact();
  }

  /** Computes how many tokens are added in a time, to the nearest. */
  long tokens(long nanos) {
    return product(nanos, limit)
        .add(BigInteger.valueOf(window / 2))
        .divide(BigInteger.valueOf(window))
        .min(MAX)
        .longValueExact();
  }

  private static BigInteger product(long one, long other) {
    return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
  }
}
