package io.weir.internal.cassandra;

/** Thrown if a setting doesn't fit Cassandra; the message names the setting and what to do. */
final class MisconfiguredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MisconfiguredException(String what) {
    super(what, null, false, false);
  }
}
