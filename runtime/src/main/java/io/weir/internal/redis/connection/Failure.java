package io.weir.internal.redis.connection;

/**
 * The reason why there is no answer, in the words of Redis or of the connection.
 *
 * <p>Immutable.
 */
public record Failure(FailureKind trouble, String text) {
  private static final int LONGEST = 300;

  /** Classifies an error of Redis by its text. */
  public static Failure of(String error) {
    // The command may follow, which may contain a password.
    int sent = error.indexOf(", with args");
    return new Failure(
        FailureKind.of(error), printable(sent < 0 ? error : error.substring(0, sent)));
  }

  /** Makes a text safe for the log, where it mustn't look like several lines nor fill the disk. */
  private static String printable(String text) {
    String begin = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return begin.replaceAll("\\p{Cntrl}", "?");
  }

  static Failure away(String why) {
    return new Failure(FailureKind.AWAY, printable(why));
  }
}
