package io.weir.internal.key;

import io.weir.internal.extension.ClassPresence;
import io.weir.internal.settings.NearestWord;
import io.weir.spi.KeyResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validates the expressions of {@code key}: {@code header:}, {@code query:}, {@code path:}, {@code
 * cookie:}, {@code param:} or {@code form:} and a name, {@code json:} and a JSON Pointer, or the
 * name of a registered {@link KeyResolver}; {@code lower:} and one of these; and {@code shard:}, a
 * number and one of all these.
 */
public final class KeySyntax {
  /** The prefix of an expression whose values are compared without regard to case. */
  static final String LOWER = "lower:";

  private static final String JACKSON = "com.fasterxml.jackson.core.JsonFactory";

  private static final Pattern POINTER = Pattern.compile("(/([^~]|~[01])*)+");

  private KeySyntax() {}

  /**
   * Finds the mistake in an expression.
   *
   * @param resolverNames the names of the registered resolvers
   * @param readable the places that can be read
   * @return the rule that it breaks; empty if it is valid
   */
  public static Optional<String> mistake(
      String expression, Set<String> resolverNames, ReadablePlaces readable) {
    if (!expression.startsWith(KeySharder.PREFIX)) {
      return foldedMistake(expression, resolverNames, readable);
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
        : foldedMistake(divided.get(), resolverNames, readable);
  }

  private static Optional<String> foldedMistake(
      String expression, Set<String> resolverNames, ReadablePlaces readable) {
    if (!expression.startsWith(LOWER)) {
      return plainMistake(expression, resolverNames, readable);
    }
    String folded = expression.substring(LOWER.length());
    return folded.startsWith(LOWER) || folded.startsWith(KeySharder.PREFIX)
        ? Optional.of("lower: must not be followed by lower: or shard:")
        : plainMistake(folded, resolverNames, readable);
  }

  private static Optional<String> plainMistake(
      String expression, Set<String> resolverNames, ReadablePlaces readable) {
    if (expression.isBlank()) {
      return Optional.of("must not be empty");
    }
    Optional<RequestField> field = RequestField.of(expression);
    if (field.isPresent()) {
      return mistake(field.get(), readable);
    }
    return expression.indexOf(':') < 0 && resolverNames.contains(expression)
        ? Optional.empty()
        : Optional.of(unknown(expression, resolverNames));
  }

  /** Finds the mistake in an expression that begins with the word of a place. */
  static Optional<String> mistake(RequestField field, ReadablePlaces readable) {
    return field.alternatives().stream()
        .flatMap(
            each ->
                nameMistake(each.place(), each.name())
                    .or(() -> siteMistake(each.place(), readable))
                    .stream())
        .findFirst();
  }

  /** Returns the formats of a body that a valid expression reads. */
  public static BodyUse body(String expression) {
    return RequestField.of(plain(expression)).map(BodyUse::of).orElse(BodyUse.NONE);
  }

  /**
   * Returns the parameter of a woven method that a valid expression reads; empty if it reads
   * something else.
   */
  public static Optional<String> parameter(String expression) {
    String parameter = RequestValueSource.PARAM.word() + ":";
    String plain = plain(expression);
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

  /** Removes the prefixes. */
  private static String plain(String expression) {
    String divided = divided(expression);
    return divided.startsWith(LOWER) ? divided.substring(LOWER.length()) : divided;
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
    if (place == RequestValueSource.JSON && !POINTER.matcher(name).matches()) {
      return Optional.of("json: must be followed by a JSON Pointer, such as /user/email");
    }
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

  private static Optional<String> siteMistake(RequestValueSource place, ReadablePlaces readable) {
    if (place == RequestValueSource.PARAM && !readable.parameters()) {
      return Optional.of(
          "param: must not be used here, since it reads a parameter of a woven method");
    }
    if (place == RequestValueSource.PATH && !readable.paths()) {
      return Optional.of("path: must not be used here, since there is no path template");
    }
    if (place.isInBody() && !readable.bodies()) {
      return Optional.of(
          place.word()
              + ": must not be used here, since the body can be read only "
              + ReadablePlaces.OF_BODIES);
    }
    if (place == RequestValueSource.JSON && !ClassPresence.isPresent(JACKSON)) {
      return Optional.of("json: needs com.fasterxml.jackson.core:jackson-core 2 on the class path");
    }
    return Optional.empty();
  }

  private static String unknown(String expression, Set<String> resolverNames) {
    List<String> known = new ArrayList<>(resolverNames);
    known.add(KeySharder.PREFIX);
    known.add(LOWER);
    return "must be header:, query:, path:, cookie:, param:, form: or json: with a name, shard: with"
        + " a number and such an expression, lower: and such an expression, or the name of a"
        + " registered KeyResolver"
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
