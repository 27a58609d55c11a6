package io.weir.internal.control.resource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the OpenAPI document says of a resource method: each has one. Path, method, parameters and
 * roles are read from the method itself.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operation {
  /**
   * What it does.
   *
   * @return a phrase in the imperative
   */
  String value();

  /**
   * What it takes as its body.
   *
   * @return a record; {@code Void} if it takes none
   */
  Class<?> body() default Void.class;

  /**
   * Whether the body may also be a list of these, or is one.
   *
   * @return how many there may be
   */
  Many bodies() default Many.ONE;

  /**
   * What it answers if all is well.
   *
   * @return a record; {@code Void} for no body; {@code String} for a text of the type that the
   *     method produces
   */
  Class<?> answer();

  /**
   * Whether the answer may also be a list of these, or is one.
   *
   * @return how many there may be
   */
  Many answers() default Many.ONE;

  /**
   * Whether a list that it answers may have a problem document in the place of an item.
   *
   * @return true if so
   */
  boolean listsProblems() default false;

  /**
   * The status if all is well.
   *
   * @return 200 unless given
   */
  int status() default 200;

  /**
   * What else it may answer, beside what all may: 400, 401, 403.
   *
   * @return statuses
   */
  int[] errors() default {};

  /** How many of a thing there are. */
  enum Many {
    /** One. */
    ONE,
    /** One, or a list. */
    ONE_OR_LIST,
    /** A list. */
    LIST,
    /** A part of a list, see {@code Page}. */
    PAGE
  }
}
