package io.weir.adapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads values that the client may have malformed, for implementations of {@code RequestInfo}. */
public final class RequestValues {
  private RequestValues() {}

  /**
   * Reads one part of a request. Containers differ in what they throw for malformed input, and so
   * do principals: whatever it is, the part counts as missing.
   *
   * @param <T> the type of the part
   * @param reader reads the part from the framework's request
   * @return the part; empty if it is missing or can't be read
   */
  public static <T> Optional<T> read(Supplier<@Nullable T> reader) {
    try {
      return Optional.ofNullable(reader.get());
    } catch (RuntimeException | LinkageError malformed) {
      return Optional.empty();
    }
  }

  /**
   * Removes white space around the values of a header field: it isn't a part of a value (RFC 9110,
   * section 5.5), and not every container removes it.
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
