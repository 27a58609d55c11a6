package io.weir.compat.stacks.micronaut4;

/** An exception that the application maps to 500. */
class ExpectedException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
