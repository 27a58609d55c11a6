package io.weir.spi;

import java.util.Locale;

/**
 * The body of a refusal, sent as UTF-8.
 *
 * <p>Immutable.
 *
 * @param contentType the media type, such as {@code text/html}; printable ASCII. If it names a
 *     charset, this must be UTF-8; {@code charset=UTF-8} is added to {@code text} types without one
 * @param text the body, at most {@value #LONGEST} characters
 */
public record RefusalText(String contentType, String text) {
  /** The maximum length of a body in characters. */
  public static final int LONGEST = 16_384;

  /**
   * Validates type and length.
   *
   * @param contentType the media type
   * @param text the body
   * @throws IllegalArgumentException if the type isn't a media type or names another charset, or
   *     the text is too long
   */
  public RefusalText {
    String lower = contentType.toLowerCase(Locale.ROOT);
    int charset = lower.indexOf("charset=");
    boolean utf8 = charset < 0 || lower.substring(charset).matches("charset=\"?utf-8\"?.*");
    boolean ascii = contentType.chars().allMatch(each -> each >= ' ' && each < 0x7f);
    if (!utf8 || !ascii || contentType.indexOf('/') < 1) {
      throw new IllegalArgumentException(
          "contentType must be a media type in UTF-8, not " + contentType);
    }
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "text must have at most " + LONGEST + " characters, not " + text.length());
    }
  }
}
