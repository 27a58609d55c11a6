package io.weir.compat.stacks.micronaut4;

/** An exception that the application maps to 422. */
class UnprocessableException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
