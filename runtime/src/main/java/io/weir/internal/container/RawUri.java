package io.weir.internal.container;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the URI as it was sent: the parameters of its query (the container would also read the body
 * of a form), and its path if the container can't decode it.
 *
 * <p>Ignores parameters with malformed escapes, so that they cause no error, and different
 * malformed spellings don't count as different callers. Nothing keeps state.
 */
public final class RawUri {
  private RawUri() {}

  /**
   * Finds the first value of a parameter that can be decoded.
   *
   * @param query the query as sent
   * @param name the decoded name
   * @return the decoded value; empty if there is none
   */
  public static Optional<String> find(String query, String name) {
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      Optional<String> found = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1), true);
      if (value.isPresent() && found.filter(name::equals).isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  /**
   * Finds all values of a parameter; values that can't be decoded are returned as sent.
   *
   * @return in their order
   */
  public static List<String> findAll(String query, String name) {
    List<String> values = new ArrayList<>(1);
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      Optional<String> found = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      if (found.filter(name::equals).isPresent()) {
        String raw = equals < 0 ? "" : pair.substring(equals + 1);
        values.add(decode(raw, true).orElse(raw));
      }
    }
    return values;
  }

  /**
   * Finds all parameters whose names can be decoded; values that can't be are returned as sent.
   *
   * @return values in their order, by name
   */
  public static Map<String, List<String>> parameters(String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      if (name.isPresent() && !pair.isEmpty()) {
        String raw = equals < 0 ? "" : pair.substring(equals + 1);
        parameters
            .computeIfAbsent(name.get(), any -> new ArrayList<>(1))
            .add(decode(raw, true).orElse(raw));
      }
    }
    return parameters;
  }

  /**
   * Normalizes a path within an application.
   *
   * @param context the application's context path, with escapes or without
   * @param raw the whole path, in which the context may be spelled in another way
   * @return the path below the context; the whole path if it isn't below
   */
  public static String pathWithin(String context, String raw) {
    String path = path(raw);
    String application = context.isEmpty() ? "" : path(context);
    boolean isBelow =
        path.startsWith(application)
            && (path.length() == application.length() || path.charAt(application.length()) == '/');
    return isBelow ? path.substring(application.length()) : path;
  }

  /**
   * Normalizes a path as containers match it: removes parameters, escapes and dot segments, but not
   * empty segments. An escaped slash ends no segment, so dots beside it are none.
   *
   * @param raw the path as sent
   * @return the path, which begins with a slash
   */
  public static String path(String raw) {
    if (isNormal(raw)) {
      return raw;
    }
    Deque<String> segments = new ArrayDeque<>();
    for (String each : raw.replaceAll(";[^/]*", "").replaceFirst("^/", "").split("/", -1)) {
      String segment = decode(each, false).orElse(each);
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.equals(".")) {
        segments.add(segment);
      }
    }
    return "/" + String.join("/", segments);
  }

  private static boolean isNormal(String path) {
    return path.startsWith("/")
        && path.indexOf(';') < 0
        && path.indexOf('%') < 0
        && !path.contains("/.");
  }

  /** Decodes percent escapes as UTF-8; empty if one is malformed. */
  private static Optional<String> decode(String text, boolean plusIsBlank) {
    if (text.indexOf('%') < 0) {
      return Optional.of(plusIsBlank ? text.replace('+', ' ') : text);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '%') {
        int escaped = escapedAt(text, at);
        if (escaped < 0) {
          return Optional.empty();
        }
        bytes.write(escaped);
        at += 3;
      } else {
        String plain = plusIsBlank && next == '+' ? " " : character(text, at);
        bytes.writeBytes(plain.getBytes(StandardCharsets.UTF_8));
        at += plain.length();
      }
    }
    return Optional.of(bytes.toString(StandardCharsets.UTF_8));
  }

  private static String character(String text, int at) {
    return text.substring(at, text.offsetByCodePoints(at, 1));
  }

  /** Decodes the escape at an index to a byte; negative if it is malformed. */
  private static int escapedAt(String text, int at) {
    if (at + 2 >= text.length()) {
      return -1;
    }
    int high = hex(text.charAt(at + 1));
    int low = hex(text.charAt(at + 2));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** Reads an ASCII digit only; Character.digit accepts digits of all scripts. */
  private static int hex(char digit) {
    return digit < 0x80 ? Character.digit(digit, 16) : -1;
  }
}
