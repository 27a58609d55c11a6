package io.weir.spi;

import java.util.Locale;

/**
 * The body of a refusal. It is sent as UTF-8.
 *
 * <p>Immutable.
 *
 * @param contentType the media type, {@code text/html} say; of printable ASCII. UTF-8 is the only
 *     charset that it may name; a {@code text} type that names none gets it
 * @param text the body, at most {@value #LONGEST} characters
 */
public record RefusalText(String contentType, String text) {
  /** The most characters that a body may have. */
  public static final int LONGEST = 16_384;

  /**
   * Checks both.
   *
   * @param contentType see the record
   * @param text see the record
   * @throws IllegalArgumentException if the type is no media type or names another charset, or the
   *     text is too long
   */
  public RefusalText {
    String lower = contentType.toLowerCase(Locale.ROOT);
    int charset = lower.indexOf("charset=");
    boolean utf8 = charset < 0 || lower.substring(charset).matches("charset=\"?utf-8\"?.*");
    boolean ascii = contentType.chars().allMatch(each -> each >= ' ' && each < 0x7f);
    if (!utf8 || !ascii || contentType.indexOf('/') < 1) {
      throw new IllegalArgumentException("not a media type in UTF-8: " + contentType);
    }
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException("longer than " + LONGEST + " characters");
    }
  }
}
