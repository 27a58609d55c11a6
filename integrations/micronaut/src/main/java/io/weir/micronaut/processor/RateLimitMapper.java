package io.weir.micronaut.processor;

/**
 * Makes {@code @RateLimit} the binding of an advice. Found as a service by Micronaut's compiler.
 */
public final class RateLimitMapper extends LimitMapper {
  /** Makes the mapper, for the service loader. */
  public RateLimitMapper() {
    super("io.weir.annotation.RateLimit");
  }
}
