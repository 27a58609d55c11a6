package io.weir.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exempts a method, or every method of a class, from the {@link RateLimit} of its class and from
 * the default policy of the settings.
 *
 * <p>A {@code RateLimit} on a method of an unlimited class still applies. Both annotations on the
 * same method or the same class are an error.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Unlimited {}
