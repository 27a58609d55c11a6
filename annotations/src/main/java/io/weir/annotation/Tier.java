package io.weir.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Another limit for the callers of one tier; part of {@link RateLimit#tiers()}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Tier {
  /**
   * The tier's name, as the application's {@code TierResolver} returns it.
   *
   * @return the name, {@code [A-Za-z0-9._-]{1,64}}
   */
  String name();

  /**
   * The limit that replaces {@link RateLimit#limit()} for callers of this tier.
   *
   * @return permits per window, 1 to 1,000,000,000
   */
  long limit();

  /**
   * The refill that replaces {@link RateLimit#refill()} for callers of this tier.
   *
   * @return 1 up to the tier's limit; 0 (the default): in proportion to the tier's limit, rounded
   *     down, and at least 1; and 0 if the policy has no refill
   */
  long refill() default 0;
}
