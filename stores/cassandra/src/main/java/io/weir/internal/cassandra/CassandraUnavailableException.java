package io.weir.internal.cassandra;

/** Thrown if Cassandra answers nothing or only errors. Has no stack trace, so it is cheap. */
final class CassandraUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CassandraUnavailableException(String why) {
    super(why, null, false, false);
  }
}
