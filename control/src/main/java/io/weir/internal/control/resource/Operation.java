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
  Class<?> answer() default Void.class;

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
   * @return 0, unless given, stands for 200, or 204 without a body
   */
  int status() default 0;

  /**
   * Returns the statuses of its errors, besides those that follow from the method itself: 400, 401
   * and 403 of all; 413 and 415 of those with a body; 409 and 428 of those with {@code If-Match};
   * 503 of those that need the database.
   *
   * @return 404 and higher
   */
  int[] errors() default {};

  /**
   * Returns whether the method answers 503 while the database, or the store, can't be reached.
   *
   * @return true unless given; a method that is open to everybody never does
   */
  boolean needsDatabase() default true;

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
