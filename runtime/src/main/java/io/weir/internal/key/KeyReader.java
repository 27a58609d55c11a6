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
 * Reads the key that a policy counts by from a request: one part for each {@code by} in the order
 * given, and for {@link By#KEY} one for each expression.
 *
 * <p>A user or KEY that is missing, empty or blank is replaced by the caller's address, in its
 * place in the tuple; so it never gets a bucket shared with all others, nor a free pass. A KEY is
 * compared whole and as it is, a header's as HTTP has it, without blanks and tabs around it; of a
 * header with several lines the first one counts, as it does for whoever asks a container for it.
 * Where there is no peer either (outside of HTTP), the part is {@link Key#nobody()}, which all such
 * calls share.
 *
 * <p>Safe for concurrent use.
 */
public final class KeyReader {
  /** Reads one part. Safe for concurrent use. */
  @FunctionalInterface
  interface Part {
    Key read(RequestInfo request);
  }

  /** After how many requests without a user, or without a key, to warn. */
  private static final int FEW = 100;

  private static final int MANY = 1_000;

  private final List<Part> parts;
  private final boolean needsUser;

  private KeyReader(List<Part> parts, boolean needsUser) {
    this.parts = parts;
    this.needsUser = needsUser;
  }

  /**
   * Prepares the reader of one policy.
   *
   * @param policy the policy's name, for warnings
   * @param by whom the policy counts; at least one, none twice
   * @param expressions what {@link By#KEY} reads, found right by {@link KeySyntax}
   * @param resolvers by name
   * @param addresses finds addresses; asked for with each request, so that settings may change it
   * @return the reader
   * @throws IllegalArgumentException if {@code by} is empty, or KEY has no expression, or one that
   *     names nothing known
   */
  public static KeyReader of(
      String policy,
      List<By> by,
      List<String> expressions,
      Map<String, KeyResolver> resolvers,
      Supplier<ClientAddress> addresses) {
    if (by.isEmpty() || by.contains(By.KEY) && expressions.isEmpty()) {
      throw new IllegalArgumentException("a policy counts by something, and KEY by an expression");
    }
    for (String expression : expressions) {
      KeySyntax.mistake(expression, resolvers.keySet(), true, true)
          .ifPresent(
              mistake -> {
                throw new IllegalArgumentException(mistake);
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
    return new KeyReader(List.copyOf(parts), by.contains(By.USER));
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
   * What reads one expression.
   *
   * @param expression what {@link By#KEY} may read
   * @param resolvers by name
   * @return reads the text whole and as it is
   * @throws IllegalArgumentException if it can't be read; the message tells why
   */
  public static KeyResolver expression(String expression, Map<String, KeyResolver> resolvers) {
    Optional<String> mistake = KeySyntax.mistake(expression, resolvers.keySet(), false, true);
    if (mistake.isPresent()) {
      throw new IllegalArgumentException(mistake.get());
    }
    return KeyExpression.of(expression, resolvers)::read;
  }

  /** Warns if there is never a user: the limiter may stand before authentication. */
  private static Part userPart(String policy, Supplier<ClientAddress> addresses) {
    MissingInputWarning absence =
        new MissingInputWarning(FEW, () -> neverThere(policy, "USER", "principal", FEW));
    return part(
        absence,
        request -> request.user().filter(name -> !name.isBlank()).map(Key::user),
        addresses);
  }

  /** Warns if there is never a key: its name may be misspelled. */
  private static Part keyPart(
      String policy, String text, KeyExpression expression, Supplier<ClientAddress> addresses) {
    MissingInputWarning absence =
        new MissingInputWarning(MANY, () -> neverThere(policy, "KEY", text, MANY));
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
   * Reads the key.
   *
   * @param request the request
   * @return whom the policy counts
   * @throws InvalidRequestException if a KEY is longer than 8,192 bytes of UTF-8
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

  /**
   * Whether it can only be read after authentication.
   *
   * @return true with {@link By#USER}
   */
  public boolean needsUser() {
    return needsUser;
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
        + " requests, which count by address: "
        + (by.equals("USER")
            ? "does it decide before authentication?"
            : "is it spelled as callers send it?");
  }
}
