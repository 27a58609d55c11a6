package io.weir.micronaut;

import io.micronaut.aop.Around;
import io.weir.annotation.RateLimit;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Binds the advice that limits methods of beans. Micronaut's compiler adds it to each element with
 * {@link RateLimit}, if {@code weir-micronaut} is on the path of its annotation processors; nobody
 * writes it.
 */
@Documented
@Around
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface Limited {}
