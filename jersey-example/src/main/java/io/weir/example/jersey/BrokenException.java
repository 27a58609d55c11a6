package io.weir.example.jersey;

/** What {@code /api/broken} throws. */
class BrokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenException() {
    super("broken on purpose");
  }
}
