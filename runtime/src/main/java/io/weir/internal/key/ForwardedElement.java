package io.weir.internal.key;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Parses one element of the header {@code Forwarded} (RFC 7239): {@code
 * for="[2001:db8::17]:4711";proto=http}.
 *
 * <p>Accepts two deviations of common proxies: blanks around a semicolon, and brackets and colons
 * outside quotes.
 *
 * <p>Confine to one thread.
 */
final class ForwardedElement {
  private final String text;
  private final Set<String> names = new HashSet<>();
  private Optional<String> node = Optional.empty();
  private int at;

  private ForwardedElement(String text) {
    this.text = text;
  }

  /**
   * Returns the node that {@code for} names; empty if there is none, or the element is malformed.
   */
  static Optional<String> node(String element) {
    ForwardedElement reader = new ForwardedElement(element);
    return reader.pairs() ? reader.node : Optional.empty();
  }

  private boolean pairs() {
    do {
      skipBlanks();
      boolean present = at < text.length() && text.charAt(at) != ';';
      if (present && !pair()) {
        return false;
      }
      skipBlanks();
    } while (skip(';'));
    return at == text.length();
  }

  private boolean pair() {
    int start = at;
    while (at < text.length() && isTokenCharacter(text.charAt(at))) {
      at++;
    }
    String name = text.substring(start, at).toLowerCase(Locale.ROOT);
    if (name.isEmpty() || !skip('=') || !names.add(name)) {
      return false;
    }
    Optional<String> value = skip('"') ? quoted() : unquoted();
    if (name.equals("for")) {
      node = value;
    }
    return value.isPresent();
  }

  private Optional<String> unquoted() {
    int start = at;
    while (at < text.length() && isUnquotedCharacter(text.charAt(at))) {
      at++;
    }
    return Optional.of(text.substring(start, at)).filter(value -> !value.isEmpty());
  }

  private Optional<String> quoted() {
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return Optional.of(value.toString());
      }
      if (c == '\\' && at < text.length()) {
        c = text.charAt(at++);
      }
      if (Character.isISOControl(c) && c != '\t') {
        return Optional.empty();
      }
      value.append(c);
    }
    return Optional.empty();
  }

  private void skipBlanks() {
    while (at < text.length() && isBlank(text.charAt(at))) {
      at++;
    }
  }

  private boolean skip(char expected) {
    boolean found = at < text.length() && text.charAt(at) == expected;
    at += found ? 1 : 0;
    return found;
  }

  private static boolean isUnquotedCharacter(char c) {
    return isTokenCharacter(c) || c == '[' || c == ']' || c == ':';
  }

  /**
   * Returns whether a token of HTTP (RFC 9110) may contain a character: a method, field or cookie
   * name.
   */
  static boolean isTokenCharacter(char c) {
    return c < 0x80 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
