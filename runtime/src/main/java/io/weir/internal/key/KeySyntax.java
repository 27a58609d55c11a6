package io.weir.internal.key;

import io.weir.internal.key.KeyExpression.Place;
import io.weir.internal.settings.NearestWord;
import io.weir.spi.KeyResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for the expressions that {@code key} takes: {@code header:}, {@code query:}, {@code
 * path:}, {@code cookie:} or {@code param:} and a name, or the name of a registered {@link
 * KeyResolver}.
 */
public final class KeySyntax {
  private KeySyntax() {}

  /**
   * Looks for a mistake in an expression.
   *
   * @param expression what was written
   * @param resolverNames the names of the registered resolvers
   * @param parametersAllowed whether the method's parameters can be read ({@code param:})
   * @param pathAllowed whether there is a matched path template ({@code path:})
   * @return a sentence that names the rule; nothing if the expression is right
   */
  public static Optional<String> mistake(
      String expression,
      Set<String> resolverNames,
      boolean parametersAllowed,
      boolean pathAllowed) {
    int colon = expression.indexOf(':');
    if (colon < 0) {
      return resolverMistake(expression, resolverNames);
    }
    String word = expression.substring(0, colon);
    Optional<Place> place = Place.of(word);
    if (place.isEmpty()) {
      return Optional.of(unknown(expression, word, resolverNames));
    }
    Optional<String> mistake = nameMistake(place.get(), expression.substring(colon + 1));
    return mistake.isPresent() ? mistake : siteMistake(place.get(), parametersAllowed, pathAllowed);
  }

  private static Optional<String> resolverMistake(String name, Set<String> resolverNames) {
    if (name.isBlank()) {
      return Optional.of("a key expression must not be empty");
    }
    return resolverNames.contains(name)
        ? Optional.empty()
        : Optional.of(unknown(name, name, resolverNames));
  }

  private static Optional<String> nameMistake(Place place, String name) {
    boolean token = place == Place.HEADER || place == Place.COOKIE;
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
      Place place, boolean parametersAllowed, boolean pathAllowed) {
    if (place == Place.PARAM && !parametersAllowed) {
      return Optional.of("param: reads a parameter of a woven method; this is none");
    }
    if (place == Place.PATH && !pathAllowed) {
      return Optional.of("path: reads a variable of a path template; there is none here");
    }
    return Optional.empty();
  }

  private static String unknown(String expression, String word, Set<String> resolverNames) {
    List<String> known = new ArrayList<>(resolverNames);
    Arrays.stream(Place.values()).forEach(place -> known.add(place.word() + ":"));
    return "'"
        + expression
        + "' is neither header:, query:, path:, cookie: or param: with a name, nor the name of a"
        + " registered KeyResolver"
        + NearestWord.hint(expression.equals(word) ? word : word + ":", known);
  }
}
