package io.weir.internal.postgres;

/** Thrown if PostgreSQL answers nothing or only errors. Has no stack trace, so it is cheap. */
final class PostgresUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PostgresUnavailableException(String why) {
    super(why, null, false, false);
  }
}
