package io.weir.internal.cassandra;

/**
 * Thrown if other nodes were faster until the time-out, so that a claim alone fails. Has no stack
 * trace, so it is cheap.
 */
final class LostRaceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LostRaceException(String why) {
    super(why, null, false, false);
  }
}
