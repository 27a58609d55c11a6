package io.weir.micronaut.processor;

/**
 * Does the same as {@link RateLimitMapper} for several {@code @RateLimit} at one place. Found as a
 * service by Micronaut's compiler.
 */
public final class RateLimitsMapper extends LimitMapper {
  /** Makes the mapper, for the service loader. */
  public RateLimitsMapper() {
    super("io.weir.annotation.RateLimits");
  }
}
