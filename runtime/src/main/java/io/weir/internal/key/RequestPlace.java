package io.weir.internal.key;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The places that an expression can name; their own names are the words before the colon. */
enum RequestPlace {
  HEADER,
  QUERY,
  PATH,
  COOKIE,
  PARAM;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The text there that a key is made of. */
  Optional<String> read(RequestInfo request, String name) {
    return switch (this) {
      case HEADER -> request.headers(name).stream().findFirst();
      case QUERY -> request.query(name);
      case PATH -> request.path(name);
      case COOKIE -> request.cookie(name);
      case PARAM -> request.parameter(name);
    };
  }

  /** All texts there of which one should be a number. */
  List<String> numbers(RequestInfo request, String name) {
    return switch (this) {
      case HEADER -> request.headers(name);
      case QUERY -> request.queries(name);
      case PATH -> request.path(name).stream().toList();
      case COOKIE -> request.cookies(name);
      case PARAM -> parameter(request, name).stream().toList();
    };
  }

  private static Optional<String> parameter(RequestInfo request, String name) {
    return request instanceof NumberParameters numbers
        ? numbers.number(name)
        : request.parameter(name);
  }

  /** As an expression and a message write it. */
  String word() {
    return word;
  }

  static Optional<RequestPlace> of(String word) {
    for (RequestPlace each : values()) {
      if (each.word.equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
