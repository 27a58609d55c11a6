package io.weir.internal.control.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Opens a resource method. One without it answers 403, whoever asks. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OpenTo {
  /**
   * Whom it is for.
   *
   * @return the roles of which one is needed
   */
  ControlRole[] value();

  /**
   * The variable of the path, or else of the query, that names a user, who may use it for itself
   * without that role.
   *
   * @return the variable's name; empty if there is none
   */
  String self() default "";
}
