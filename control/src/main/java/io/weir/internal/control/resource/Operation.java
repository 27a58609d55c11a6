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
  /** Says in the imperative what the method does. */
  String value();

  /** The id of the operation; empty if it is made of the names of class and method. */
  String id() default "";

  /** The type of the request's body: a record; {@code Void} for no body. */
  Class<?> body() default Void.class;

  Many bodies() default Many.ONE;

  /**
   * The type of the body of a successful response: a record; {@code Void} for no body; {@code
   * String} for a text of the media type that the method produces.
   */
  Class<?> answer() default Void.class;

  Many answers() default Many.ONE;

  /** Returns whether a problem document may take the place of an item in the response's list. */
  boolean listsProblems() default false;

  /** The status of a successful response; 0 stands for 200, or 204 without a body. */
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
   * Whether the method answers 503 while the database, or the store, can't be reached. One that is
   * open to everybody never does.
   */
  boolean needsDatabase() default true;

  enum Many {
    ONE,
    ONE_OR_LIST,
    LIST,
    PAGE
  }
}
