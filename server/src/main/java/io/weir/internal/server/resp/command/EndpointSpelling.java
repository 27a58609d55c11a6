package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The one spelling of an endpoint that clients may write in many: without query, decoded once,
 * without parameters after a semicolon, empty segments and dots. So that no other spelling finds
 * another rule. {@code POST /check} has the same.
 */
final class EndpointSpelling {
  private static final String POLICY = "policy:";
  private static final int HEX = 16;
  private static final int LONGEST = 8_192;

  private EndpointSpelling() {}

  static String of(String written) throws CommandException {
    if (written.length() > LONGEST) {
      throw CommandException.of("endpoint must have at most " + LONGEST + " characters");
    }
    if (written.startsWith(POLICY)) {
      return written;
    }
    if (!written.startsWith("/")) {
      throw CommandException.of("endpoint must begin with / or " + POLICY);
    }
    return isPlain(written) ? written : joined(decoded(pathOf(written)));
  }

  /** What has no other spelling, as most have none. */
  private static boolean isPlain(String path) {
    for (int i = 0; i < path.length(); i++) {
      char each = path.charAt(i);
      boolean doubled = each == '/' && (i + 1 == path.length() || path.charAt(i + 1) == '/');
      if (doubled || each == '.' || each == '%' || each == ';' || each == '?' || each == '#') {
        return path.length() == 1;
      }
    }
    return true;
  }

  /** Without query, fragment and parameters: an encoded semicolon is a part of the name. */
  private static String pathOf(String written) {
    StringBuilder path = new StringBuilder(written.length());
    boolean inParameter = false;
    for (int i = 0; i < written.length(); i++) {
      char each = written.charAt(i);
      if (each == '?' || each == '#') {
        break;
      }
      inParameter = each == ';' || inParameter && each != '/';
      if (!inParameter) {
        path.append(each);
      }
    }
    return path.toString();
  }

  private static String decoded(String path) throws CommandException {
    byte[] encoded = path.getBytes(StandardCharsets.UTF_8);
    ByteBuffer decoded = ByteBuffer.allocate(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%') {
        int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], HEX) : -1;
        int low = high < 0 ? -1 : Character.digit(encoded[i + 2], HEX);
        if (low < 0 || high + low == 0) {
          throw malformed();
        }
        decoded.put((byte) (HEX * high + low));
        i += 2;
      } else {
        decoded.put(encoded[i]);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
    } catch (CharacterCodingException garbled) {
      throw malformed();
    }
  }

  private static CommandException malformed() {
    return CommandException.of("endpoint must have % only before two hexadecimal digits of UTF-8");
  }

  private static String joined(String path) {
    Deque<String> segments = new ArrayDeque<>();
    for (String each : path.split("/", -1)) {
      if (each.equals("..")) {
        segments.pollLast();
      } else if (!each.isEmpty() && !each.equals(".")) {
        segments.addLast(each);
      }
    }
    return "/" + String.join("/", segments);
  }
}
