package io.weir.compat.rules;

import io.weir.compat.jaxrs.server.Fields;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

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
    return Fields.numbers(header(field).orElse(""), parameter);
  }
}
