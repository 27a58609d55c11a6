package io.weir.compat.stack;

import io.weir.compat.jaxrs.server.Fields;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A response, with its header fields for limits.
 *
 * @param status the HTTP status
 * @param headers all header fields
 * @param body the text of the body
 */
record Reply(int status, HttpHeaders headers, String body) {
  /** The fields of the default dialect, in the order in which messages list them. */
  static final List<String> FIELDS =
      List.of(
          "RateLimit-Policy",
          "RateLimit",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset");

  static Reply of(HttpResponse<String> response) {
    return new Reply(response.statusCode(), response.headers(), response.body());
  }

  /** Returns the fields that are missing or repeated; empty if each is there once. */
  List<String> wrongFields() {
    return FIELDS.stream().filter(each -> headers.allValues(each).size() != 1).toList();
  }

  /** Returns the fields that are there. */
  List<String> fields() {
    return Stream.concat(FIELDS.stream(), Stream.of("Retry-After"))
        .filter(each -> headers.firstValue(each).isPresent())
        .toList();
  }

  /** Returns {@code X-RateLimit-Remaining}, or -1 if it is missing. */
  long remaining() {
    return headers.firstValueAsLong("X-RateLimit-Remaining").orElse(-1);
  }

  /** Returns the value of a field. */
  Optional<String> field(String name) {
    return headers.firstValue(name);
  }

  /** Returns the limits of the policies that apply, by their names; empty if none does. */
  Map<String, Long> limits() {
    return Fields.numbers(field("RateLimit-Policy").orElse(""), "q");
  }
}
