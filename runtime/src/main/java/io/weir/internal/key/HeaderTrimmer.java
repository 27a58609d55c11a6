package io.weir.internal.key;

import java.util.ArrayList;
import java.util.List;

/**
 * Trims the values of a header field: blanks and tabs around a value are no part of it (RFC 9110),
 * and not every container removes them.
 */
public final class HeaderTrimmer {
  private HeaderTrimmer() {}

  /**
   * Removes what is around each value.
   *
   * @param lines as a container hands them on
   * @return the values; the same list if there was nothing to take off
   */
  public static List<String> trim(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (!isBare(lines.get(i))) {
        return bare(lines);
      }
    }
    return lines;
  }

  private static List<String> bare(List<String> lines) {
    List<String> values = new ArrayList<>(lines.size());
    for (String line : lines) {
      values.add(bare(line));
    }
    return values;
  }

  private static boolean isBare(String line) {
    return line.isEmpty() || !isAround(line.charAt(0)) && !isAround(line.charAt(line.length() - 1));
  }

  private static String bare(String line) {
    int start = 0;
    int end = line.length();
    while (start < end && isAround(line.charAt(start))) {
      start++;
    }
    while (end > start && isAround(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(start, end);
  }

  /** Line ends too: a container may leave them of a folded line. */
  private static boolean isAround(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
