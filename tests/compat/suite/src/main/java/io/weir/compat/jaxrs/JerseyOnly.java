package io.weir.compat.jaxrs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test of what only Jersey lets Weir do. It is left out on other implementations. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface JerseyOnly {
  /**
   * The reason.
   *
   * @return what other implementations lack
   */
  String value();
}
