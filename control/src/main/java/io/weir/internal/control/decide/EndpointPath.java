package io.weir.internal.control.decide;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.rules.database.CleanText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The one spelling of an endpoint that clients may write in many: without query, decoded once,
 * without parameters after a semicolon, empty segments and dots. So that no other spelling finds
 * another rule.
 */
public final class EndpointPath {
  private static final String FIELD = "endpoint";
  private static final String POLICY = "policy:";
  private static final String ENCODING = "must have % only before two hexadecimal digits of UTF-8";
  private static final int LONGEST = 8_192;

  private EndpointPath() {}

  /**
   * The usual spelling of what somebody wrote.
   *
   * @param written a path, perhaps with a query; or {@code policy:NAME}
   * @return the path, decoded; {@code policy:NAME} as it is
   * @throws InvalidFieldException if it is neither
   */
  public static String of(String written) {
    if (written.length() > LONGEST) {
      throw new InvalidFieldException(FIELD, "must have at most " + LONGEST + " characters");
    }
    if (!CleanText.is(written)) {
      throw new InvalidFieldException(FIELD, CleanText.RULE);
    }
    if (written.startsWith(POLICY)) {
      return written;
    }
    if (!written.startsWith("/")) {
      throw new InvalidFieldException(FIELD, "must begin with / or " + POLICY);
    }
    return joined(decoded(withoutParameters(path(written))));
  }

  /** Without query and fragment. */
  private static String path(String written) {
    int end = written.length();
    for (char each : new char[] {'?', '#'}) {
      int at = written.indexOf(each);
      end = at >= 0 && at < end ? at : end;
    }
    return written.substring(0, end);
  }

  /** Read before decoding: an encoded semicolon is a part of the name. */
  private static String withoutParameters(String path) {
    if (path.indexOf(';') < 0) {
      return path;
    }
    StringBuilder rest = new StringBuilder(path.length());
    boolean inParameter = false;
    for (int i = 0; i < path.length(); i++) {
      char each = path.charAt(i);
      inParameter = each == ';' || inParameter && each != '/';
      if (!inParameter) {
        rest.append(each);
      }
    }
    return rest.toString();
  }

  private static String decoded(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream(path.length());
    byte[] encoded = path.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%') {
        utf8.write(octet(encoded, i + 1));
        i += 2;
      } else {
        utf8.write(encoded[i]);
      }
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(utf8.toByteArray()))
              .toString();
      if (text.indexOf('\0') >= 0) {
        throw new InvalidFieldException(FIELD, ENCODING);
      }
      return text;
    } catch (CharacterCodingException garbled) {
      throw new InvalidFieldException(FIELD, ENCODING);
    }
  }

  private static int octet(byte[] encoded, int at) {
    int high = at < encoded.length ? Character.digit(encoded[at], 16) : -1;
    int low = at + 1 < encoded.length ? Character.digit(encoded[at + 1], 16) : -1;
    if (high < 0 || low < 0) {
      throw new InvalidFieldException(FIELD, ENCODING);
    }
    return high << 4 | low;
  }

  private static String joined(String path) {
    Deque<String> segments = new ArrayDeque<>();
    for (String each : path.split("/")) {
      if (each.equals("..")) {
        segments.pollLast();
      } else if (!each.isEmpty() && !each.equals(".")) {
        segments.addLast(each);
      }
    }
    return "/" + String.join("/", segments);
  }
}
