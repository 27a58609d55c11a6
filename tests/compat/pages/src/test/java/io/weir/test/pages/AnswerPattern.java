package io.weir.test.pages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares an answer with what a page shows of it.
 *
 * <p>A page shows moments, identifiers and digests of its day. So an ISO time, a number of ten
 * digits or more and a date stand for any other of their kind, and {@code …} for whatever is there.
 * Everything else must be equal. White space between the parts of JSON and at the end of lines
 * makes no difference.
 */
final class AnswerPattern {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern FREE =
      Pattern.compile(
          "…|(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)|(?<date>\\d{4}-\\d\\d-\\d\\d)|(?<moment>\\d{10,})");

  private final Pattern pattern;
  private final boolean isJson;

  private AnswerPattern(Pattern pattern, boolean isJson) {
    this.pattern = pattern;
    this.isJson = isJson;
  }

  static AnswerPattern ofJson(String shown) {
    return new AnswerPattern(regex(withoutSpace(shown)), true);
  }

  static AnswerPattern ofText(String shown) {
    return new AnswerPattern(regex(shown.strip()), false);
  }

  boolean matches(String answer) {
    return pattern
        .matcher(isJson ? compact(answer) : answer.replaceAll("[ \\r]+\n", "\n").strip())
        .matches();
  }

  private static String compact(String json) {
    try {
      return JSON.writeValueAsString(JSON.readTree(json));
    } catch (JsonProcessingException malformed) {
      return json;
    }
  }

  /** Removes the white space of a JSON text except within strings; {@code …} makes it no JSON. */
  private static String withoutSpace(String json) {
    StringBuilder compact = new StringBuilder();
    boolean isInString = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"' && (i == 0 || json.charAt(i - 1) != '\\')) {
        isInString = !isInString;
      }
      if (isInString || !Character.isWhitespace(c)) {
        compact.append(c);
      }
    }
    return compact.toString();
  }

  private static Pattern regex(String shown) {
    StringBuilder regex = new StringBuilder();
    Matcher free = FREE.matcher(shown);
    int end = 0;
    while (free.find()) {
      regex.append(Pattern.quote(shown.substring(end, free.start()))).append(any(free));
      end = free.end();
    }
    return Pattern.compile(regex + Pattern.quote(shown.substring(end)), Pattern.DOTALL);
  }

  private static String any(Matcher free) {
    if (free.group("time") != null) {
      return "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
    }
    if (free.group("date") != null) {
      return "\\d{4}-\\d\\d-\\d\\d";
    }
    return free.group("moment") != null ? "\\d{10,}" : ".*?";
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "what matches %s", pattern);
  }
}
