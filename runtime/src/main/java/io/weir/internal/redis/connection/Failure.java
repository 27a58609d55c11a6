package io.weir.internal.redis.connection;

/**
 * The reason why there is no answer.
 *
 * <p>Immutable.
 *
 * @param text the error text of Redis or of the connection
 */
public record Failure(FailureKind trouble, String text) {
  private static final int LONGEST = 300;

  /**
   * Classifies an error of Redis.
   *
   * @param error the text of the error
   */
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
