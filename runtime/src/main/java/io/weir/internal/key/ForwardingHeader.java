package io.weir.internal.key;

import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The header in which trusted proxies report addresses: {@code weir.proxy.header}. */
enum ForwardingHeader {
  X_FORWARDED_FOR("X-Forwarded-For") {
    @Override
    Optional<String> node(String element) {
      return Optional.of(withoutQuotes(withoutBlanks(element)));
    }
  },
  FORWARDED("Forwarded") {
    @Override
    Optional<String> node(String element) {
      return ForwardedElement.node(element);
    }
  };

  private static final String SETTING = "weir.proxy.header";

  private final String field;

  ForwardingHeader(String field) {
    this.field = field;
  }

  /** Returns the address that an element names for its hop; empty if it can't be read. */
  abstract Optional<String> node(String element);

  static ForwardingHeader of(SettingsSnapshot settings) {
    String field = settings.text(SETTING, X_FORWARDED_FOR.field);
    for (ForwardingHeader header : values()) {
      if (header.field.toLowerCase(Locale.ROOT).equals(field.toLowerCase(Locale.ROOT))) {
        return header;
      }
    }
    throw settings.invalid(SETTING, "must be X-Forwarded-For or Forwarded");
  }

  String field() {
    return field;
  }

  /** Returns whether a request has any of these headers. */
  static boolean isAnyIn(RequestInfo request) {
    return !X_FORWARDED_FOR.values(request).isEmpty() || !FORWARDED.values(request).isEmpty();
  }

  /**
   * Reads the values of the field. One that the adapter fails to read counts as missing: otherwise
   * a caller that sends it malformed would not be counted at all.
   */
  List<String> values(RequestInfo request) {
    try {
      @Nullable List<String> values = request.headers(field);
      return values == null ? List.of() : values;
    } catch (RuntimeException | LinkageError malformed) {
      return List.of();
    }
  }

  /**
   * Removes quotes: some proxies quote IPv6 as in Forwarded, though X-Forwarded-For has no grammar.
   */
  private static String withoutQuotes(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static String withoutBlanks(String element) {
    int start = 0;
    int end = element.length();
    while (start < end && ForwardedElement.isBlank(element.charAt(start))) {
      start++;
    }
    while (end > start && ForwardedElement.isBlank(element.charAt(end - 1))) {
      end--;
    }
    return element.substring(start, end);
  }
}
