package io.weir.internal.redis.connection;

/**
 * Why there is no answer.
 *
 * <p>Immutable.
 *
 * @param trouble the kind
 * @param text what Redis or the connection said
 */
public record Failure(FailureKind trouble, String text) {
  private static final int LONGEST = 300;

  /**
   * What Redis said.
   *
   * @param error the text of the error
   * @return its kind and text
   */
  public static Failure of(String error) {
    // What was sent may follow, and it may be a password.
    int sent = error.indexOf(", with args");
    return new Failure(
        FailureKind.of(error), printable(sent < 0 ? error : error.substring(0, sent)));
  }

  /** It goes to the log, where it mustn't pass for several lines nor fill the disk. */
  private static String printable(String text) {
    String begin = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return begin.replaceAll("\\p{Cntrl}", "?");
  }

  static Failure away(String why) {
    return new Failure(FailureKind.AWAY, printable(why));
  }
}
