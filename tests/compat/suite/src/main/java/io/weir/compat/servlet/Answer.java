package io.weir.compat.servlet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.jspecify.annotations.Nullable;

/** A response read from a socket. */
record Answer(int status, Map<String, String> headers, String body) {
  /** Reads a response; status 0 if there was none. */
  static Answer parse(String text) {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Answer(0, Map.of(), "");
    }
    String[] lines = text.substring(0, end).split("\r\n");
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(line.substring(0, colon), line.substring(colon + 1).trim());
      }
    }
    return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, text.substring(end + 4));
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Returns the names of all policies in the response, in order. */
  List<String> policies() {
    return items("RateLimit-Policy").stream().map(item -> (String) item.get()).toList();
  }

  /** Returns the name of the closest policy. */
  String closest() {
    return (String) items("RateLimit").get(0).get();
  }

  /** Returns the permits left under the closest policy. */
  long remaining() {
    return number("RateLimit", "r");
  }

  /** Returns a parameter of a field's first member. */
  long number(String field, String parameter) {
    @Nullable Item<?> value = items(field).get(0).getParams().get(parameter);
    if (value == null) {
      throw new AssertionError("no " + parameter + " in " + this);
    }
    return (Long) value.get();
  }

  private List<ListElement<?>> items(String field) {
    return Parser.parseList(header(field).orElseThrow(() -> new AssertionError(this)))
        .get()
        .stream()
        .<ListElement<?>>map(each -> each)
        .toList();
  }
}
