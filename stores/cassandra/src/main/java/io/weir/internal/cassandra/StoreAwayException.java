package io.weir.internal.cassandra;

/** Cassandra didn't answer, or nothing but errors. Cheap: it has no stack trace. */
final class StoreAwayException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoreAwayException(String why) {
    super(why, null, false, false);
  }
}
