package io.weir.internal.control.decide.path;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Lists the readings of a path. Servers differ in whether they treat {@code %2F}, {@code %5C} and
 * {@code \} as separators, cut off parameters after a semicolon, drop empty segments, and decode
 * characters that needn't be encoded. Each of these is applied to the whole path or left out, in
 * all combinations.
 *
 * <p>A {@code %2F} that isn't a separator stays encoded: no pattern has it, so only a variable or a
 * star matches its segment.
 */
final class PathInterpretations {
  /** Bounds the work for one request. */
  static final int MAX_READINGS = 8;

  private static final Pattern SLASH = Pattern.compile("%2[Ff]");
  private static final Pattern BACKSLASH = Pattern.compile("\\\\|%5[Cc]");
  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern EMPTY_SEGMENTS = Pattern.compile("/{2,}");

  private PathInterpretations() {}

  /**
   * Reads a well-formed path without query.
   *
   * @return decoded, without a slash at the end; the one with all steps applied is first. Empty if
   *     there are more than {@link #MAX_READINGS}
   */
  static Optional<List<String>> of(String path) {
    if (hasOneReading(path)) {
      return Optional.of(List.of(withoutLastSlashes(path)));
    }
    List<Step> steps =
        List.of(
            Step.of(PARAMETERS, ""), // as servlets do, before separators are decoded
            Step.of(SLASH, "/"),
            Step.of(BACKSLASH, "/"),
            Step.of(PARAMETERS, ""),
            new Step(text -> decoded(text, true), text -> decoded(text, false)),
            Step.of(EMPTY_SEGMENTS, "/"),
            new Step(
                PathInterpretations::withoutLastSlashes, PathInterpretations::withoutLastSlashes));
    Set<String> readings = Set.of(path);
    for (Step each : steps) {
      readings = each.applyTo(readings);
      if (readings.size() > MAX_READINGS) {
        return Optional.empty();
      }
    }
    return Optional.of(List.copyOf(readings));
  }

  /** Most paths have only one reading. */
  private static boolean hasOneReading(String path) {
    return path.indexOf('%') < 0
        && path.indexOf(';') < 0
        && path.indexOf('\\') < 0
        && !path.contains("//");
  }

  /** A step that servers apply to a path, or leave out. */
  private record Step(UnaryOperator<String> applied, UnaryOperator<String> leftOut) {
    static Step of(Pattern found, String replacement) {
      return new Step(
          text -> found.matcher(text).replaceAll(replacement), UnaryOperator.identity());
    }

    Set<String> applyTo(Set<String> texts) {
      Set<String> all = new LinkedHashSet<>();
      for (String each : texts) {
        all.add(applied.apply(each));
        all.add(leftOut.apply(each));
      }
      return all;
    }
  }

  private static String decoded(String path, boolean decodesUnreserved) {
    return PercentDecoder.decoded(
            path, octet -> octet == '/' || !decodesUnreserved && isUnreserved(octet))
        .orElseThrow(() -> new IllegalArgumentException("not well-formed"));
  }

  /** Returns whether an octet means the same encoded or not (RFC 3986, 2.3). */
  private static boolean isUnreserved(int octet) {
    return octet >= 'a' && octet <= 'z'
        || octet >= 'A' && octet <= 'Z'
        || octet >= '0' && octet <= '9'
        || "-._~".indexOf(octet) >= 0;
  }

  private static String withoutLastSlashes(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
