package io.weir.internal.key;

import io.weir.InvalidRequestException;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.nio.charset.StandardCharsets;
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
    if (word.equals(Shard.WORD)) {
      return sharded(name, resolvers);
    }
    RequestPlace place =
        RequestPlace.of(word).orElseThrow(() -> new IllegalArgumentException(expression));
    return new KeyExpression(word + " " + name, request -> place.read(request, name));
  }

  private static KeyExpression sharded(String text, Map<String, KeyResolver> resolvers) {
    Shard shard = Shard.parse(text).orElseThrow(() -> new IllegalArgumentException(text));
    KeyExpression divided = of(shard.expression(), resolvers);
    return new KeyExpression(divided.place, request -> divided.read(request).map(shard::of));
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
   * @throws InvalidRequestException if it is longer than {@link #LONGEST}
   */
  Optional<String> read(RequestInfo request) {
    Optional<String> text = source.apply(request).filter(found -> !found.isBlank());
    if (text.isPresent() && isTooLong(text.get())) {
      throw new InvalidRequestException("The " + place + " is longer than " + LONGEST + " bytes.");
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
