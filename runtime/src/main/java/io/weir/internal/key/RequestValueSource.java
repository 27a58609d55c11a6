package io.weir.internal.key;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lists the places in a request that an expression can read, by the words before the colon. */
enum RequestValueSource {
  HEADER("header"),
  QUERY("query parameter"),
  PATH("path variable"),
  COOKIE("cookie"),
  PARAM("parameter"),
  FORM("form field"),
  JSON("JSON field");

  private final String word = name().toLowerCase(Locale.ROOT);
  private final String label;

  RequestValueSource(String label) {
    this.label = label;
  }

  /** Returns the text there that becomes a key. */
  Optional<String> read(RequestInfo request, String name) {
    return switch (this) {
      case HEADER -> request.headers(name).stream().findFirst();
      case QUERY -> request.query(name);
      case PATH -> request.path(name);
      case COOKIE -> request.cookie(name);
      case PARAM -> request.parameter(name);
      case FORM -> request.form(name);
      case JSON -> request.json(name);
    };
  }

  /** Returns all texts there, one of which should be a number. */
  List<String> numbers(RequestInfo request, String name) {
    return switch (this) {
      case HEADER -> request.headers(name);
      case QUERY -> request.queries(name);
      case PATH -> request.path(name).stream().toList();
      case COOKIE -> request.cookies(name);
      case PARAM -> parameter(request, name).stream().toList();
      case FORM -> request.form(name).stream().toList();
      case JSON -> request.jsonNumber(name).stream().toList();
    };
  }

  private static Optional<String> parameter(RequestInfo request, String name) {
    return request instanceof NumericParameterSource numbers
        ? numbers.number(name)
        : request.parameter(name);
  }

  /** Returns the word that expressions use. */
  String word() {
    return word;
  }

  /** Returns the words that messages to clients use. */
  String label() {
    return label;
  }

  /** Returns whether the request's body must be read. */
  boolean isInBody() {
    return this == FORM || this == JSON;
  }

  /** Finds the place that an expression begins with, before a colon. */
  static Optional<RequestValueSource> ofExpression(String expression) {
    int colon = expression.indexOf(':');
    return colon < 0 ? Optional.empty() : of(expression.substring(0, colon));
  }

  private static Optional<RequestValueSource> of(String word) {
    for (RequestValueSource each : values()) {
      if (each.word.equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
