package io.weir.internal.key;

import io.weir.InvalidRequestException;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads one part of a KEY from requests.
 *
 * <p>Safe for concurrent use.
 */
final class KeyExpression {
  /** The longest KEY, in bytes of UTF-8. */
  static final int MAX_BYTES = 8192;

  private static final int MAX_BYTES_PER_CHAR = 3;

  /** The place of the text, in words for the client. */
  private final String place;

  private final Function<RequestInfo, Optional<String>> source;

  private KeyExpression(String place, Function<RequestInfo, Optional<String>> source) {
    this.place = place;
    this.source = source;
  }

  /** Prepares an expression that {@link KeySyntax} has found valid. */
  static KeyExpression of(String expression, Map<String, KeyResolver> resolvers) {
    if (expression.startsWith(KeySharder.PREFIX)) {
      return sharded(expression.substring(KeySharder.PREFIX.length()), resolvers);
    }
    if (expression.startsWith(KeySyntax.LOWER)) {
      KeyExpression sent = of(expression.substring(KeySyntax.LOWER.length()), resolvers);
      return new KeyExpression(sent.place, request -> sent.read(request).map(KeyExpression::fold));
    }
    return RequestField.of(expression)
        .map(field -> new KeyExpression(field.toString(), field::read))
        .orElseGet(() -> resolved(expression, resolvers));
  }

  /** Folds letters that have several lower-case forms, too, and composes what that divides. */
  private static String fold(String text) {
    String folded = text.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(folded, Normalizer.Form.NFC);
  }

  private static KeyExpression sharded(String text, Map<String, KeyResolver> resolvers) {
    KeySharder shard = KeySharder.parse(text).orElseThrow(() -> new IllegalArgumentException(text));
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
   * Reads the text, whole and unchanged.
   *
   * @throws InvalidRequestException if it is longer than {@link #MAX_BYTES}
   */
  Optional<String> read(RequestInfo request) {
    Optional<String> text = source.apply(request).filter(found -> !found.isBlank());
    if (text.isPresent() && isTooLong(text.get())) {
      throw new InvalidRequestException(
          "The " + place + " is longer than " + MAX_BYTES + " bytes.");
    }
    return text;
  }

  private static boolean isTooLong(String text) {
    if (text.length() <= MAX_BYTES / MAX_BYTES_PER_CHAR) {
      return false;
    }
    return text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  /**
   * Calls a {@link KeyResolver} whose failures don't fail requests: those count by address, and the
   * first failure is logged.
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
              "The key resolver " + name + " failed; such requests count by address");
    }

    @Override
    public Optional<String> apply(RequestInfo request) {
      try {
        return Objects.requireNonNull(resolver.resolve(request), "it returned null");
      } catch (InvalidRequestException invalid) {
        throw invalid; // such as of a parameter that the caller repeats to get another bucket
      } catch (Throwable broken) {
        calls.failed(broken);
        return Optional.empty();
      }
    }
  }
}
