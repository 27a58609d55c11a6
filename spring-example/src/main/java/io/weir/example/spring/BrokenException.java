package io.weir.example.spring;

/** Thrown by {@code /api/broken}. */
class BrokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenException() {
    super("broken on purpose");
  }
}
