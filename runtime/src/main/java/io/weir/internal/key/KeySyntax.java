package io.weir.internal.key;

import io.weir.internal.settings.NearestWord;
import io.weir.spi.KeyResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Validates the expressions of {@code key}: {@code header:}, {@code query:}, {@code path:}, {@code
 * cookie:} or {@code param:} and a name, or the name of a registered {@link KeyResolver}; and
 * {@code shard:}, a number and one of these.
 */
public final class KeySyntax {
  private KeySyntax() {}

  /**
   * Finds the mistake in an expression.
   *
   * @param parametersAllowed whether the method's parameters can be read ({@code param:})
   * @param pathAllowed whether there is a matched path template ({@code path:})
   * @return the rule that it breaks; empty if it is valid
   */
  public static Optional<String> mistake(
      String expression,
      Set<String> resolverNames,
      boolean parametersAllowed,
      boolean pathAllowed) {
    if (!expression.startsWith(KeySharder.PREFIX)) {
      return plainMistake(expression, resolverNames, parametersAllowed, pathAllowed);
    }
    Optional<String> divided =
        KeySharder.parse(expression.substring(KeySharder.PREFIX.length()))
            .map(KeySharder::expression);
    if (divided.isEmpty()) {
      return Optional.of(
          "shard: must be followed by a number from 2 to 1000000, a colon and an expression");
    }
    return divided.get().startsWith(KeySharder.PREFIX)
        ? Optional.of("shard: must not be followed by another shard:")
        : plainMistake(divided.get(), resolverNames, parametersAllowed, pathAllowed);
  }

  private static Optional<String> plainMistake(
      String expression, Set<String> resolverNames, boolean parameters, boolean path) {
    if (expression.isBlank()) {
      return Optional.of("must not be empty");
    }
    if (isRead(expression)) {
      return placeMistake(expression, parameters, path);
    }
    return expression.indexOf(':') < 0 && resolverNames.contains(expression)
        ? Optional.empty()
        : Optional.of(unknown(expression, resolverNames));
  }

  /** Returns whether an expression begins with the word of a place and a colon. */
  static boolean isRead(String expression) {
    int colon = expression.indexOf(':');
    return colon >= 0 && RequestValueSource.of(expression.substring(0, colon)).isPresent();
  }

  /** Finds the mistake in an expression that begins with the word of a place. */
  static Optional<String> placeMistake(String expression, boolean parameters, boolean path) {
    int colon = expression.indexOf(':');
    RequestValueSource place = RequestValueSource.of(expression.substring(0, colon)).orElseThrow();
    Optional<String> mistake = nameMistake(place, expression.substring(colon + 1));
    return mistake.isPresent() ? mistake : siteMistake(place, parameters, path);
  }

  /**
   * Returns the parameter of a woven method that a valid expression reads; empty if it reads
   * something else.
   */
  public static Optional<String> parameter(String expression) {
    String parameter = RequestValueSource.PARAM.word() + ":";
    String plain = divided(expression);
    return plain.startsWith(parameter)
        ? Optional.of(plain.substring(parameter.length()))
        : Optional.empty();
  }

  /**
   * Returns whether a valid expression has a fixed number of values, whatever callers send, as
   * {@code shard:} has.
   */
  public static boolean isSharded(String expression) {
    return !divided(expression).equals(expression);
  }

  private static String divided(String expression) {
    return expression.startsWith(KeySharder.PREFIX)
        ? KeySharder.parse(expression.substring(KeySharder.PREFIX.length()))
            .map(KeySharder::expression)
            .orElse(expression)
        : expression;
  }

  private static Optional<String> nameMistake(RequestValueSource place, String name) {
    boolean token = place == RequestValueSource.HEADER || place == RequestValueSource.COOKIE;
    if (name.isBlank()) {
      return Optional.of(place.word() + ": must be followed by a name");
    }
    if (token && !isToken(name)) {
      return Optional.of(
          place.word() + ": must be followed by a name of letters, digits and !#$%&'*+-.^_`|~");
    }
    return name.equals(name.strip())
        ? Optional.empty()
        : Optional.of("the name after " + place.word() + ": must not begin or end with a blank");
  }

  private static boolean isToken(String name) {
    for (int at = 0; at < name.length(); at++) {
      if (!ForwardedElement.isTokenCharacter(name.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> siteMistake(
      RequestValueSource place, boolean parameters, boolean path) {
    if (place == RequestValueSource.PARAM && !parameters) {
      return Optional.of(
          "param: must not be used here, since it reads a parameter of a woven method");
    }
    if (place == RequestValueSource.PATH && !path) {
      return Optional.of("path: must not be used here, since there is no path template");
    }
    return Optional.empty();
  }

  private static String unknown(String expression, Set<String> resolverNames) {
    List<String> known = new ArrayList<>(resolverNames);
    known.add(KeySharder.PREFIX);
    return "must be header:, query:, path:, cookie: or param: with a name, shard: with a number and"
        + " such an expression, or the name of a registered KeyResolver"
        + nearest(expression, known);
  }

  /** Suggests the nearest of the given words and the words of places. */
  static String nearest(String expression, List<String> known) {
    List<String> all = new ArrayList<>(known);
    Arrays.stream(RequestValueSource.values()).forEach(place -> all.add(place.word() + ":"));
    int colon = expression.indexOf(':');
    return NearestWord.hint(colon < 0 ? expression : expression.substring(0, colon + 1), all);
  }
}
