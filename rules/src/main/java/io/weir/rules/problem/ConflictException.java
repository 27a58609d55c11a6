package io.weir.rules.problem;

/** Somebody else has changed or deleted the row since it was read; nothing was changed. */
public final class ConflictException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Tells which row.
   *
   * @param message names the row, the version it has and the one that was named
   */
  public ConflictException(String message) {
    super(message);
  }
}
