package io.weir.compat.stacks.spring.flux;

/** An exception that the application maps to 500. */
class ExpectedException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
