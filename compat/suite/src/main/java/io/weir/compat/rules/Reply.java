package io.weir.compat.rules;

import java.net.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/**
 * A response.
 *
 * @param status the status
 * @param headers all header fields
 * @param body the document
 */
public record Reply(int status, HttpHeaders headers, String body) {
  /** Returns a header field, which may be missing. */
  Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  /** Returns the limits in the response, by policy. */
  Map<String, Long> limits() {
    return numbers("RateLimit-Policy", "q");
  }

  /** Returns the permits left under the closest policy. */
  long left() {
    return numbers("RateLimit", "r").values().iterator().next();
  }

  private Map<String, Long> numbers(String field, String parameter) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (ListElement<?> each : Parser.parseList(header(field).orElse("")).get()) {
      Object number = Objects.requireNonNull(each.getParams().get(parameter)).get();
      numbers.put(each.get().toString(), (Long) number);
    }
    return numbers;
  }
}
