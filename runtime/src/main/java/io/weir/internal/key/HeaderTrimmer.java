package io.weir.internal.key;

import java.util.ArrayList;
import java.util.List;

/**
 * Removes white space around the values of a header field: it isn't a part of a value (RFC 9110),
 * and not every container removes it.
 */
public final class HeaderTrimmer {
  private HeaderTrimmer() {}

  /**
   * Trims each value.
   *
   * @param lines the values as a container returns them
   * @return the same list if there was nothing to remove
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

  /** Includes line ends, which a container may leave in a folded line. */
  private static boolean isAround(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
