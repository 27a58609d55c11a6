package io.weir.micronaut.processor;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.NamedAnnotationMapper;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;

/**
 * Does the same as {@link RateLimitMapper} for several {@code @RateLimit} at one place. Found as a
 * service by Micronaut's compiler.
 */
public final class RateLimitsMapper implements NamedAnnotationMapper {
  /** Makes the mapper, for the service loader. */
  public RateLimitsMapper() {}

  @Override
  public String getName() {
    return "io.weir.annotation.RateLimits";
  }

  @Override
  public List<AnnotationValue<?>> map(
      AnnotationValue<Annotation> annotation, VisitorContext context) {
    return List.of(AnnotationValue.builder("io.weir.micronaut.LimitedMethod").build());
  }
}
