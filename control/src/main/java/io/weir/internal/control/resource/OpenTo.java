package io.weir.internal.control.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Opens a resource method to some roles. A method without it answers 403 to everybody. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OpenTo {
  /** The roles, of which a caller needs one. */
  ControlRole[] value();

  /**
   * Returns the roles that may call the method with {@code dryRun=true} in its query, where it
   * changes nothing. The method has this parameter.
   *
   * @return roles in addition to {@link #value}; empty if there are none
   */
  ControlRole[] dryRun() default {};

  /**
   * Returns the variable of the path, or else of the query, that names a user. That user may call
   * the method without one of the roles.
   *
   * @return the variable's name; empty if there is none
   */
  String self() default "";
}
