package io.weir.grpc;

/** An exception that the application translates. */
public final class NotThere extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
