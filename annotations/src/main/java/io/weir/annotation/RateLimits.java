package io.weir.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Contains repeated {@link RateLimit}s of one method or class; the compiler adds it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimits {
  /**
   * The limits, all of which must admit a request.
   *
   * @return the repeated annotations in the order written
   */
  RateLimit[] value();
}
