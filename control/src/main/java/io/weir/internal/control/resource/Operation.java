package io.weir.internal.control.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a resource method in the OpenAPI document. Each has one. Path, HTTP method, parameters
 * and roles are read from the method itself.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operation {
  /**
   * Returns what the method does.
   *
   * @return a phrase in the imperative
   */
  String value();

  /**
   * Returns the id of the operation.
   *
   * @return empty if it is made of the names of class and method
   */
  String id() default "";

  /**
   * Returns the type of the request's body.
   *
   * @return a record; {@code Void} for no body
   */
  Class<?> body() default Void.class;

  /**
   * Returns how many of the type the request's body holds.
   *
   * @return one unless given
   */
  Many bodies() default Many.ONE;

  /**
   * Returns the type of the body of a successful response.
   *
   * @return a record; {@code Void} for no body; {@code String} for a text of the media type that
   *     the method produces
   */
  Class<?> answer();

  /**
   * Returns how many of the type the response's body holds.
   *
   * @return one unless given
   */
  Many answers() default Many.ONE;

  /**
   * Returns whether a problem document may take the place of an item in the response's list.
   *
   * @return false unless given
   */
  boolean listsProblems() default false;

  /**
   * Returns the status of a successful response.
   *
   * @return 200 unless given
   */
  int status() default 200;

  /**
   * Returns the statuses of its errors, besides 400, 401 and 403, which all methods may answer.
   *
   * @return 404 and higher
   */
  int[] errors() default {};

  /** The number of values in a body. */
  enum Many {
    /** One value. */
    ONE,
    /** One value, or a list. */
    ONE_OR_LIST,
    /** A list of values. */
    LIST,
    /** A page of a list; see {@code Page}. */
    PAGE
  }
}
