package io.weir.adapter;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A body that was read for policies. Not for implementation by others.
 *
 * <p>Safe for concurrent use.
 */
public interface ReadBody {
  /**
   * Finds the value of a form field, as {@code getParameter} of servlets does: in the query or in
   * the body.
   *
   * @param name the name of the field
   * @param ofQuery the values of the query parameter of this name
   * @return the value, possibly an empty text; empty if there is none
   * @throws io.weir.InvalidRequestException if there are several, or the body isn't a well-formed
   *     form
   */
  Optional<String> form(String name, List<String> ofQuery);

  /**
   * Finds the value that a JSON Pointer leads to; names are compared without regard to case.
   *
   * @param pointer as RFC 6901 has it, such as {@code /user/email}
   * @return a text, a whole number in digits, {@code true} or {@code false}; empty if it is missing
   *     or null
   * @throws io.weir.InvalidRequestException if there are several, it is something else, or the body
   *     isn't well-formed JSON
   */
  Optional<String> json(String pointer);

  /**
   * Finds the number that a JSON Pointer leads to.
   *
   * @param pointer as RFC 6901 has it, such as {@code /amount}
   * @return a number as it was sent, or another value as {@link #json} returns it
   * @throws io.weir.InvalidRequestException as {@link #json}
   */
  Optional<String> jsonNumber(String pointer);

  /**
   * Returns the bytes that were read from the stream.
   *
   * @return the array itself, which nobody may change
   */
  byte[] bytes();

  /**
   * Returns whether these are all bytes of the body.
   *
   * @return false if the stream has more, since the body is longer than the bound. Without bytes
   *     the stream was never opened, or the framework had read it before
   */
  boolean isWhole();

  /**
   * Returns whether the body is still in its stream, or was taken from it by others.
   *
   * @return true if nothing was read for policies
   */
  default boolean isInStream() {
    return bytes().length == 0 && !isWhole();
  }

  /**
   * Returns the fields of an {@code application/x-www-form-urlencoded} body without a content
   * coding.
   *
   * @return their values in order, by name; empty if there are none, or the body has another type
   * @throws io.weir.InvalidRequestException if the body isn't a well-formed form
   */
  Map<String, List<String>> fields();

  /**
   * Returns the parts of a {@code multipart/form-data} body without a content coding.
   *
   * @return in order; empty if there are none, or the body has another type
   * @throws io.weir.InvalidRequestException if the body isn't a well-formed multipart form
   */
  List<FormPart> parts();
}
