package io.weir.compat.stacks.quarkus.classic;

/** An exception that the application maps. */
public class UnprocessableException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
