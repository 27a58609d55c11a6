package io.weir.compat.stacks.quarkus.rest;

/** An exception that {@link Errors} maps. */
public class UnprocessableException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
