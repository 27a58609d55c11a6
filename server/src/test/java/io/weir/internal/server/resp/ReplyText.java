package io.weir.internal.server.resp;

import java.util.ArrayList;
import java.util.List;

/** Splits received bytes into replies. Malformed replies are errors. */
final class ReplyText {
  private final String text;
  private int at;

  ReplyText(String text) {
    this.text = text;
  }

  List<String> all() {
    List<String> replies = new ArrayList<>();
    while (at < text.length()) {
      replies.add(next());
    }
    return replies;
  }

  private String next() {
    char kind = text.charAt(at);
    int end = text.indexOf("\r\n", at);
    if (end < 0) {
      throw new AssertionError("a line without an end: " + text.substring(at));
    }
    String line = text.substring(at + 1, end);
    if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
      throw new AssertionError("a line break in a line: " + line);
    }
    at = end + 2;
    switch (kind) {
      case '+', '-', ':', '_' -> {
        return kind + line;
      }
      case '$' -> {
        int length = Integer.parseInt(line);
        if (length < 0) {
          return "(nil)";
        }
        String bulk = text.substring(at, at + length);
        at += length + 2;
        return "$" + bulk;
      }
      case '*', '%' -> {
        List<String> parts = new ArrayList<>();
        for (int i = Integer.parseInt(line) * (kind == '%' ? 2 : 1); i > 0; i--) {
          parts.add(next());
        }
        return parts.toString();
      }
      default -> throw new AssertionError("no reply begins with " + kind);
    }
  }
}
