package io.weir.micronaut.processor;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.NamedAnnotationMapper;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;

/** Makes an annotation the binding of the advice. */
abstract class LimitMapper implements NamedAnnotationMapper {
  private final String name;

  LimitMapper(String name) {
    this.name = name;
  }

  @Override
  public final String getName() {
    return name;
  }

  @Override
  public final List<AnnotationValue<?>> map(
      AnnotationValue<Annotation> annotation, VisitorContext context) {
    return List.of(AnnotationValue.builder("io.weir.micronaut.Limited").build());
  }
}
