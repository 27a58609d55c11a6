package io.weir.internal.rules.rulebook.pattern;

import io.weir.internal.rules.database.LineText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The endpoints that a rule matches: {@code /api/posts}, {@code /api/posts/{id}} (any one segment),
 * {@code /api/*} (all below, and {@code /api} itself) or {@code *}.
 *
 * <p>Patterns are equal if they match the same: names of variables, their regular expressions and a
 * slash at the end make no difference. The order is from the most specific to the least: exact
 * first, then more literal segments, then the earlier literal segment, then {@code {}}, then {@code
 * *}.
 *
 * <p>Immutable.
 */
public final class EndpointPattern implements Comparable<EndpointPattern> {
  /** The text of a variable segment; no literal can have it. */
  static final String VARIABLE = "{}";

  private static final Comparator<EndpointPattern> MOST_SPECIFIC_FIRST =
      Comparator.comparing(EndpointPattern::isExact, Comparator.reverseOrder())
          .thenComparing(EndpointPattern::literals, Comparator.reverseOrder())
          .thenComparing(EndpointPattern::compareByPlace)
          .thenComparing(EndpointPattern::hasRest)
          .thenComparing(pattern -> pattern.segments.size(), Comparator.reverseOrder())
          .thenComparing(EndpointPattern::toString);

  private final List<String> segments;
  private final boolean rest;
  private final int literals;
  private final String text;

  private EndpointPattern(List<String> segments, boolean rest) {
    this.segments = List.copyOf(segments);
    this.rest = rest;
    this.literals = (int) segments.stream().filter(each -> !each.equals(VARIABLE)).count();
    this.text = text(segments, rest);
  }

  private static String text(List<String> segments, boolean rest) {
    if (segments.isEmpty()) {
      return rest ? "*" : "/";
    }
    return "/" + String.join("/", segments) + (rest ? "/*" : "");
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it can't match anything, or isn't one; the message is the
   *     rule
   */
  public static EndpointPattern parse(String pattern) {
    if (pattern.equals("*")) {
      return new EndpointPattern(List.of(), true);
    }
    if (!pattern.startsWith("/")) {
      throw new IllegalArgumentException("must begin with / or policy:, or be *");
    }
    if (pattern.codePoints().anyMatch(LineText::isBreak)) {
      throw new IllegalArgumentException("must have no line break or other control character");
    }
    List<String> segments = new ArrayList<>();
    List<String> encoded = new ArrayList<>();
    List<String> written = split(EndpointForm.TEMPLATE, pattern, Integer.MAX_VALUE);
    boolean rest = !written.isEmpty() && written.get(written.size() - 1).equals("*");
    for (String each : rest ? written.subList(0, written.size() - 1) : written) {
      segments.add(checked(each));
      if (!isOneVariable(each) && each.indexOf('%') >= 0) {
        encoded.add(each);
      }
    }
    if (!encoded.isEmpty()) {
      throw new IllegalArgumentException(
          "must have no %: endpoints are decoded" + decoded(pattern));
    }
    return new EndpointPattern(segments, rest);
  }

  /**
   * Determines the form of an endpoint that a person wrote.
   *
   * @return a template if it could be the pattern of a rule
   */
  public static EndpointForm formOf(String endpoint) {
    try {
      return parse(endpoint).hasRest() ? EndpointForm.PATH : EndpointForm.TEMPLATE;
    } catch (IllegalArgumentException noPattern) {
      return EndpointForm.PATH;
    }
  }

  /** Suggests what to write instead, if that can be determined. */
  private static String decoded(String pattern) {
    try {
      // A plus is a space in forms only.
      String text = URLDecoder.decode(pattern.replace("+", "%2B"), StandardCharsets.UTF_8);
      return text.indexOf('%') < 0 && text.indexOf('\ufffd') < 0 ? ", as in '" + text + "'" : "";
    } catch (IllegalArgumentException notEncoded) {
      return "";
    }
  }

  private static String checked(String segment) {
    if (isOneVariable(segment)) {
      return VARIABLE;
    }
    if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException(
          "must have no empty segment, . or ..: endpoints are without them");
    }
    if (segment.indexOf('*') >= 0) {
      throw new IllegalArgumentException("must have * only as its last segment");
    }
    if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
      throw new IllegalArgumentException("must have a variable such as {id} as a whole segment");
    }
    if (segment.indexOf('?') >= 0 || segment.indexOf('#') >= 0) {
      throw new IllegalArgumentException("must have no query: endpoints are without it");
    }
    return segment;
  }

  /**
   * Returns the segments of an endpoint or pattern, without the slashes between them and one at the
   * end.
   *
   * @param form whether braces count; those of a pattern do
   * @param most as many are enough; what follows them is left out
   */
  static List<String> split(EndpointForm form, String path, int most) {
    List<String> segments = new ArrayList<>();
    int end = path.length() > 1 && path.endsWith("/") ? path.length() - 1 : path.length();
    int begin = path.startsWith("/") ? 1 : 0;
    int braces = 0;
    for (int at = begin; at < end && segments.size() < most; at++) {
      char letter = path.charAt(at);
      if (letter == '{' && form == EndpointForm.TEMPLATE) {
        braces++;
      } else if (letter == '}' && form == EndpointForm.TEMPLATE) {
        braces--;
      } else if (letter == '/' && braces <= 0) {
        segments.add(path.substring(begin, at));
        begin = at + 1;
      }
    }
    if (begin < end && segments.size() < most) {
      segments.add(path.substring(begin, end));
    }
    return segments;
  }

  /** Returns whether the brace that it begins with is closed by its last letter, and not before. */
  private static boolean isOneVariable(String segment) {
    int braces = 0;
    for (int at = 0; isVariable(segment) && at < segment.length(); at++) {
      char letter = segment.charAt(at);
      braces += letter == '{' ? 1 : letter == '}' ? -1 : 0;
      if (braces == 0) {
        return at == segment.length() - 1;
      }
    }
    return false;
  }

  static boolean isVariable(String segment) {
    return segment.length() > 1 && segment.startsWith("{") && segment.endsWith("}");
  }

  /** Returns the segments, variables as {@link #VARIABLE}, without the star at the end. */
  List<String> segments() {
    return segments;
  }

  /** Returns whether it ends with a star. */
  public boolean hasRest() {
    return rest;
  }

  /** Returns whether it has neither variables nor a star. */
  boolean isExact() {
    return !rest && literals == segments.size();
  }

  private int literals() {
    return literals;
  }

  /** A literal comes before a variable at the first segment that differs. */
  private int compareByPlace(EndpointPattern other) {
    int most = Math.max(segments.size(), other.segments.size());
    for (int at = 0; at < most; at++) {
      boolean mine = isLiteral(at);
      if (mine != other.isLiteral(at)) {
        return mine ? -1 : 1;
      }
    }
    return 0;
  }

  private boolean isLiteral(int at) {
    return at < segments.size() && !segments.get(at).equals(VARIABLE);
  }

  /** Returns whether it matches whatever another one matches; true also of an equal one. */
  public boolean covers(EndpointPattern other) {
    return rest
        ? other.segments.size() >= segments.size() && fits(other.segments, false)
        : !other.rest && other.segments.size() == segments.size() && fits(other.segments, false);
  }

  /**
   * Returns whether there can be a path that both match.
   *
   * @return false if a literal of one differs from that of the other, or their lengths do
   */
  public boolean meets(EndpointPattern other) {
    int mine = segments.size();
    int theirs = other.segments.size();
    if (mine < theirs && !rest || theirs < mine && !other.rest) {
      return false;
    }
    for (int at = 0; at < Math.min(mine, theirs); at++) {
      boolean isFit =
          !isLiteral(at) || !other.isLiteral(at) || segments.get(at).equals(other.segments.get(at));
      if (!isFit) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether it would match a template, had it no literal where that has a variable. */
  public boolean isLiteralOf(String template) {
    List<String> given = split(EndpointForm.TEMPLATE, template, segments.size() + 1);
    return !rest && given.size() == segments.size() && fits(given, true) && !fits(given, false);
  }

  /** Returns whether each literal meets the same one, or perhaps any variable. */
  private boolean fits(List<String> given, boolean orVariable) {
    for (int at = 0; at < segments.size(); at++) {
      String segment = segments.get(at);
      boolean isFit =
          segment.equals(VARIABLE)
              || segment.equals(given.get(at))
              || orVariable && isVariable(given.get(at));
      if (!isFit) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(EndpointPattern other) {
    return MOST_SPECIFIC_FIRST.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EndpointPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** With {@code {}} for variables and without a slash at the end. */
  @Override
  public String toString() {
    return text;
  }
}
