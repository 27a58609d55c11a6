package io.weir.internal.policy;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Lists the paths that a policy leaves out, such as {@code /healthz} and {@code
 * /actuator/health/*}.
 *
 * <p>They are compared with what the container or the framework has matched. A path that may still
 * be read in another way, such as one with a segment {@code ..}, isn't below any of them.
 *
 * <p>Immutable.
 *
 * @param patterns paths; one that ends in {@code /*} stands for all that is below it, too
 */
public record ExceptedPaths(List<String> patterns) {
  static final ExceptedPaths NONE = new ExceptedPaths(List.of());

  private static final Pattern AMBIGUOUS = Pattern.compile("[;%\\\\]|//|/\\.\\.?(/|$)");

  public ExceptedPaths {
    patterns = List.copyOf(patterns);
  }

  public boolean isEmpty() {
    return patterns.isEmpty();
  }

  /**
   * Returns whether a path or a template is left out, as the container or the framework has matched
   * it; false as well for a path that is ambiguous.
   */
  public boolean contain(String path) {
    return contain(path, false);
  }

  /** Does the same for a path that may have one handler in every case. */
  boolean contain(String path, boolean ignoresCase) {
    return !isEmpty() && patterns.stream().anyMatch(each -> matches(each, path, ignoresCase));
  }

  private static boolean matches(String pattern, String path, boolean ignoresCase) {
    if (!pattern.endsWith("/*")) {
      return path.length() == pattern.length()
          && path.regionMatches(ignoresCase, 0, pattern, 0, pattern.length());
    }
    int prefix = pattern.length() - 2;
    return path.regionMatches(ignoresCase, 0, pattern, 0, prefix)
        && (path.length() == prefix
            || path.charAt(prefix) == '/' && !AMBIGUOUS.matcher(path).find());
  }

  /** Returns a note for the table of policies; empty if nothing is left out. */
  String note() {
    return patterns.isEmpty() ? "" : "except " + String.join(", ", patterns);
  }
}
