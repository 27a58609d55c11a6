package io.weir.internal.control.decide.path;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the segments {@code .} and {@code ..} of a path, by which one server leaves a folder that
 * another one stays in.
 */
final class DotSegments {
  /** Somewhere between client and handler a path may be decoded more than once. */
  private static final int MOST_DECODINGS = 4;

  private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

  private DotSegments() {}

  /** Whether a path has any, in any spelling and behind any separator. */
  static boolean areIn(String path) {
    String text = path;
    for (int i = 0; i < MOST_DECODINGS && text.indexOf('%') >= 0; i++) {
      if (areInText(text)) {
        return true;
      }
      text = ENCODED.matcher(text).replaceAll(each -> decoded(each.group()));
    }
    return areInText(text);
  }

  /** Octets as letters, since only those of ASCII matter here. */
  private static String decoded(String encoded) {
    char octet = (char) Integer.parseInt(encoded.substring(1), 16);
    return Matcher.quoteReplacement(String.valueOf(octet));
  }

  private static boolean areInText(String path) {
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

  /** Also with parameters behind it: {@code ..;x}. */
  private static boolean isDots(String path, int begin, int end) {
    int at = begin;
    while (at < end && path.charAt(at) == '.') {
      at++;
    }
    boolean isAll = at == end || path.charAt(at) == ';';
    return isAll && (at == begin + 1 || at == begin + 2);
  }
}
