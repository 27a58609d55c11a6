package io.weir.internal.key;

import io.weir.internal.extension.SafeCalls;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * One part of a KEY, ready to be read.
 *
 * <p>Safe for concurrent use.
 */
final class KeyExpression {
  /** The longest KEY, in bytes of UTF-8. */
  static final int LONGEST = 8192;

  private static final int MOST_BYTES_PER_CHAR = 3;

  /** The places that an expression can name; their own names are the words before the colon. */
  enum Place {
    HEADER,
    QUERY,
    PATH,
    COOKIE,
    PARAM;

    private final String word = name().toLowerCase(Locale.ROOT);

    Optional<String> read(RequestInfo request, String name) {
      return switch (this) {
        case HEADER -> request.headers(name).stream().findFirst();
        case QUERY -> request.query(name);
        case PATH -> request.path(name);
        case COOKIE -> request.cookie(name);
        case PARAM -> request.parameter(name);
      };
    }

    /** As an expression and a message write it. */
    String word() {
      return word;
    }

    static Optional<Place> of(String word) {
      for (Place each : values()) {
        if (each.word.equals(word)) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }
  }

  /** Where the text is found, in words for the client. */
  private final String place;

  private final Function<RequestInfo, Optional<String>> source;

  private KeyExpression(String place, Function<RequestInfo, Optional<String>> source) {
    this.place = place;
    this.source = source;
  }

  /** Prepares an expression that {@link KeySyntax} has found nothing wrong with. */
  static KeyExpression of(String expression, Map<String, KeyResolver> resolvers) {
    int colon = expression.indexOf(':');
    if (colon < 0) {
      return resolved(expression, resolvers);
    }
    String word = expression.substring(0, colon);
    String name = expression.substring(colon + 1);
    Place place = Place.of(word).orElseThrow(() -> new IllegalArgumentException(expression));
    return new KeyExpression(word + " " + name, request -> place.read(request, name));
  }

  private static KeyExpression resolved(String name, Map<String, KeyResolver> resolvers) {
    KeyResolver resolver = resolvers.get(name);
    if (resolver == null) {
      throw new IllegalArgumentException(name);
    }
    return new KeyExpression("key " + name, new SafeKeyResolver(name, resolver));
  }

  /**
   * Reads the text, whole and as it is.
   *
   * @throws KeyTooLongException if it is longer than {@link #LONGEST}
   */
  Optional<String> read(RequestInfo request) {
    Optional<String> text = source.apply(request).filter(found -> !found.isBlank());
    if (text.isPresent() && isTooLong(text.get())) {
      throw new KeyTooLongException(place);
    }
    return text;
  }

  private static boolean isTooLong(String text) {
    if (text.length() <= LONGEST / MOST_BYTES_PER_CHAR) {
      return false;
    }
    return text.length() > LONGEST || text.getBytes(StandardCharsets.UTF_8).length > LONGEST;
  }

  /**
   * A {@link KeyResolver} whose failures don't fail requests: they count by address, and the first
   * failure is logged.
   *
   * <p>Safe for concurrent use.
   */
  private static final class SafeKeyResolver implements Function<RequestInfo, Optional<String>> {
    private final KeyResolver resolver;
    private final SafeCalls calls;

    SafeKeyResolver(String name, KeyResolver resolver) {
      this.resolver = resolver;
      this.calls =
          new SafeCalls(
              System.getLogger("io.weir.internal.key"),
              "The key resolver " + name + " failed: such requests count by address");
    }

    @Override
    public Optional<String> apply(RequestInfo request) {
      return calls.get(
          () -> Objects.requireNonNull(resolver.resolve(request), "it returned null"),
          Optional.empty());
    }
  }
}
