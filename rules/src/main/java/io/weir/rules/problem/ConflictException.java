package io.weir.rules.problem;

/** Thrown if another author has changed or deleted a row since it was read; nothing was changed. */
public final class ConflictException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Names the row.
   *
   * @param message names the row, the version it has and the one that was named
   */
  public ConflictException(String message) {
    super(message);
  }
}
