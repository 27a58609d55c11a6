package io.weir.internal.control.decide.path;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the segments {@code .} and {@code ..} in a path. Some servers resolve them and others
 * don't.
 */
final class DotSegmentDetector {
  /** Between client and handler, a path may be decoded more than once. */
  private static final int MAX_DECODINGS = 4;

  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

  private DotSegmentDetector() {}

  /** Returns whether a path has any, in any encoding and after any separator. */
  static boolean areIn(String path) {
    String text = path;
    for (int i = 0; i < MAX_DECODINGS && text.indexOf('%') >= 0; i++) {
      if (hasDotSegment(text)) {
        return true;
      }
      text = ENCODED.matcher(text).replaceAll(each -> decoded(each.group()));
    }
    return hasDotSegment(text);
  }

  /** Decodes an octet to a character; only ASCII matters here. */
  private static String decoded(String encoded) {
    char octet = (char) Integer.parseInt(encoded.substring(1), 16);
    return Matcher.quoteReplacement(String.valueOf(octet));
  }

  private static boolean hasDotSegment(String path) {
    int begin = 0;
    for (int at = 0; at <= path.length(); at++) {
      if (at == path.length() || path.charAt(at) == '/' || path.charAt(at) == '\\') {
        if (isDots(path, begin, at)) {
          return true;
        }
        begin = at + 1;
      }
    }
    return false;
  }

  /** Includes segments with parameters, such as {@code ..;x}. */
  private static boolean isDots(String path, int begin, int end) {
    int at = begin;
    while (at < end && path.charAt(at) == '.') {
      at++;
    }
    boolean isAll = at == end || path.charAt(at) == ';';
    return isAll && (at == begin + 1 || at == begin + 2);
  }
}
