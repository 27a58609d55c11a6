package io.weir.rules.problem;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the database would have to read too much for one answer, or is busy with another large
 * one. Nothing is wrong with the database; a smaller question can be answered.
 */
public final class QueryTooLargeException extends RulesUnavailableException {
  private static final long serialVersionUID = 1;

  /**
   * Describes the question.
   *
   * @param message names what can't be read, the bound, and what to ask instead
   * @param cause the database's own exception; null if there is none
   */
  public QueryTooLargeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
