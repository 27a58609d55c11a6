package io.weir.internal.cassandra;

/** A setting doesn't fit what Cassandra says; the message tells which and what to do. */
final class MisconfiguredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MisconfiguredException(String what) {
    super(what, null, false, false);
  }
}
