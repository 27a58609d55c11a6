package io.weir.cdi;

import jakarta.enterprise.util.AnnotationLiteral;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that carries or inherits a limit. {@link LimitedClassMarker} adds it, so that
 * {@link RateLimitExtension} asks for no other classes.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface HasLimits {
  /** The annotation itself. */
  final class Literal extends AnnotationLiteral<HasLimits> implements HasLimits {
    private static final long serialVersionUID = 1L;
  }
}
