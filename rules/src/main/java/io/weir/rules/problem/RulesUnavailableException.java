package io.weir.rules.problem;

import org.jspecify.annotations.Nullable;

/** Thrown if the database is unavailable or rejects a statement; nothing was changed. */
public class RulesUnavailableException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Describes the failure.
   *
   * @param message names what can't be done, without passwords
   * @param cause the failure of the database; null if there is none
   */
  public RulesUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
