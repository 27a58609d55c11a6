package io.weir.rules.problem;

import org.jspecify.annotations.Nullable;

/** The database can't be reached, or refuses; what was to be changed isn't. */
public final class RulesUnavailableException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Tells what was tried.
   *
   * @param message what was tried, without passwords
   * @param cause what the database said; null if it said nothing
   */
  public RulesUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
