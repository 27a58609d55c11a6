package io.weir.internal.key;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.annotation.By;
import io.weir.spi.KeyResolver;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the key that identifies the caller of a policy: one part for each {@code by} in the order
 * given, and for {@link By#KEY} one for each expression.
 *
 * <p>A user or KEY that is missing, empty or blank is replaced by the caller's address, in its
 * place in the tuple; so it never shares a bucket with all others of its kind, and is never exempt.
 * A KEY is compared whole and unchanged, a header's without the white space around it; of a header
 * with several lines the first one counts. If there is no peer either (outside of HTTP), the part
 * is {@link Key#nobody()}, which all such calls share.
 *
 * <p>Safe for concurrent use.
 */
public final class KeyReader {
  /** Reads one part of a key. Safe for concurrent use. */
  @FunctionalInterface
  interface Part {
    Key read(RequestInfo request);
  }

  /** The numbers of requests without a user, or without a key, after which a warning is logged. */
  private static final int REQUESTS_WITHOUT_USER = 100;

  private static final int REQUESTS_WITHOUT_KEY = 1_000;

  private final List<Part> parts;
  private final boolean needsUser;
  private final BodyUse body;

  private KeyReader(List<Part> parts, boolean needsUser, BodyUse body) {
    this.parts = parts;
    this.needsUser = needsUser;
    this.body = body;
  }

  /**
   * Prepares the reader of one policy.
   *
   * @param policy the policy's name, for warnings
   * @param by at least one, none repeated
   * @param expressions the expressions of {@link By#KEY}, found valid by {@link KeySyntax}
   * @param addresses supplies the current settings of addresses for each request
   * @throws IllegalArgumentException if {@code by} is empty, or KEY has no expression, or an
   *     invalid one
   */
  public static KeyReader of(
      String policy,
      List<By> by,
      List<String> expressions,
      Map<String, KeyResolver> resolvers,
      Supplier<ClientAddress> addresses) {
    if (by.isEmpty() || by.contains(By.KEY) && expressions.isEmpty()) {
      throw new IllegalArgumentException("by must not be empty, and KEY needs an expression");
    }
    for (String expression : expressions) {
      KeySyntax.mistake(expression, resolvers.keySet(), ReadablePlaces.ALL)
          .ifPresent(
              mistake -> {
                throw new IllegalArgumentException("key = '" + expression + "': " + mistake);
              });
    }
    List<Part> parts = new ArrayList<>();
    for (By each : by) {
      if (each == By.KEY) {
        for (String text : expressions) {
          parts.add(keyPart(policy, text, KeyExpression.of(text, resolvers), addresses));
        }
      } else {
        parts.add(part(policy, each, addresses));
      }
    }
    return new KeyReader(
        List.copyOf(parts),
        by.contains(By.USER),
        expressions.stream().map(KeySyntax::body).reduce(BodyUse.NONE, BodyUse::and));
  }

  private static Part part(String policy, By by, Supplier<ClientAddress> addresses) {
    return switch (by) {
      case IP -> request -> addresses.get().key(request);
      case ENDPOINT -> request -> Key.everybody();
      case USER -> userPart(policy, addresses);
      case KEY -> throw new IllegalArgumentException("KEY has a part for each expression");
    };
  }

  /**
   * Makes a resolver of one expression.
   *
   * @return reads the text whole and unchanged
   * @throws IllegalArgumentException if the expression is invalid; the message is the rule
   */
  public static KeyResolver expression(String expression, Map<String, KeyResolver> resolvers) {
    Optional<String> mistake =
        KeySyntax.mistake(expression, resolvers.keySet(), ReadablePlaces.OF_SOURCES);
    if (mistake.isPresent()) {
      throw new IllegalArgumentException(mistake.get());
    }
    return KeyExpression.of(expression, resolvers)::read;
  }

  /** Warns if there is never a user: the limiter may run before authentication. */
  private static Part userPart(String policy, Supplier<ClientAddress> addresses) {
    MissingInputWarning absence =
        new MissingInputWarning(
            REQUESTS_WITHOUT_USER,
            () -> neverThere(policy, "USER", "principal", REQUESTS_WITHOUT_USER));
    return part(
        absence,
        request -> {
          Optional<String> name = request.user().filter(text -> !text.isBlank());
          return name.isPresent() ? Optional.of(userKey(name.get(), request)) : Optional.empty();
        },
        addresses);
  }

  /**
   * Makes the key of a user, which begins with the name also where its issuer is a part of it.
   *
   * @return a key that users of other issuers don't have
   */
  public static Key userKey(String name, RequestInfo request) {
    Key user = Key.user(name);
    Optional<String> issuer = request.issuer();
    return issuer.isPresent() ? Key.tuple(List.of(user, Key.of(issuer.get()))) : user;
  }

  /** Warns if there is never a key: its name may be misspelled. */
  private static Part keyPart(
      String policy, String text, KeyExpression expression, Supplier<ClientAddress> addresses) {
    MissingInputWarning absence =
        new MissingInputWarning(
            REQUESTS_WITHOUT_KEY, () -> neverThere(policy, "KEY", text, REQUESTS_WITHOUT_KEY));
    return part(absence, request -> expression.read(request).map(Key::of), addresses);
  }

  private static Part part(
      MissingInputWarning absence,
      Function<RequestInfo, Optional<Key>> reader,
      Supplier<ClientAddress> addresses) {
    return request -> {
      Optional<Key> key = reader.apply(request);
      absence.note(key.isPresent());
      return key.isPresent() ? key.get() : addresses.get().key(request);
    };
  }

  /**
   * Reads the key of a request.
   *
   * @throws InvalidRequestException if a KEY is longer than 8,192 bytes of UTF-8, or the body has
   *     several values for it
   */
  public Key read(RequestInfo request) {
    if (parts.size() == 1) {
      return parts.get(0).read(request);
    }
    List<Key> keys = new ArrayList<>(parts.size());
    for (Part part : parts) {
      keys.add(part.read(request));
    }
    return Key.tuple(keys);
  }

  /** Returns whether the key can be read only after authentication, as with {@link By#USER}. */
  public boolean needsUser() {
    return needsUser;
  }

  /** Returns the formats of a body that the key is read from. */
  public BodyUse body() {
    return body;
  }

  private static String neverThere(String policy, String by, String what, int requests) {
    return "The policy "
        + policy
        + " counts by "
        + by
        + " but saw no "
        + what
        + " in its first "
        + requests
        + " requests, which count by address; "
        + (by.equals("USER")
            ? "check that it decides after authentication"
            : "check that key is spelled as callers send it");
  }
}
