package io.weir.internal.key;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a header field as HTTP means them: blanks and tabs around a value are no part of it
 * (RFC 9110). Not every container takes them off.
 */
public final class HeaderValues {
  private HeaderValues() {}

  /**
   * Takes off what is around each value.
   *
   * @param lines as a container hands them on
   * @return the values; the same list if there was nothing to take off
   */
  public static List<String> values(List<String> lines) {
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

  /** The end of a line is what a container may leave of one that was folded. */
  private static boolean isAround(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
