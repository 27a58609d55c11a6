package io.weir.key;

import io.weir.Key;
import io.weir.annotation.By;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads whom a policy counts from a request: one part for each {@code by} in the order given, and
 * for {@link By#KEY} one for each expression.
 *
 * <p>A user or KEY that is missing, empty or blank is replaced by the caller's address, in its
 * place in the tuple; so it never gets a bucket shared with all others, nor a free pass. A KEY is
 * compared whole and as it is; of a header with several lines the first one counts. Where there is
 * no peer either (outside of HTTP), the part is {@link Key#nobody()}, which all such calls share.
 *
 * <p>Safe for concurrent use.
 */
public final class KeyReader {
  /** Reads one part. Safe for concurrent use. */
  @FunctionalInterface
  interface Part {
    Key read(RequestInfo request);
  }

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
    List<Part> parts =
        by.stream()
            .flatMap(each -> parts(policy, each, expressions, resolvers, addresses))
            .toList();
    return new KeyReader(parts, by.contains(By.USER));
  }

  private static Stream<Part> parts(
      String policy,
      By by,
      List<String> expressions,
      Map<String, KeyResolver> resolvers,
      Supplier<ClientAddress> addresses) {
    return switch (by) {
      case IP -> Stream.of(request -> addresses.get().key(request));
      case ENDPOINT -> Stream.of(request -> Key.everybody());
      case USER -> Stream.of(new UserPart(policy, addresses));
      case KEY ->
          expressions.stream()
              .map(expression -> keyPart(KeyExpression.of(expression, resolvers), addresses));
    };
  }

  private static Part keyPart(KeyExpression expression, Supplier<ClientAddress> addresses) {
    return request ->
        expression.read(request).map(Key::of).orElseGet(() -> addresses.get().key(request));
  }

  /**
   * Reads the key.
   *
   * @param request the request
   * @return whom the policy counts
   * @throws KeyTooLongException if a KEY is longer than 8,192 bytes of UTF-8
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

  /**
   * The signed-in user, or the address of a request without one.
   *
   * <p>A limiter that stands before authentication never sees a user, and nobody notices: hence one
   * warning if none of the first {@value #PATIENCE} requests had one.
   *
   * <p>Safe for concurrent use.
   */
  private static final class UserPart implements KeyReader.Part {
    private static final Logger LOG = System.getLogger("io.weir.key");
    private static final int PATIENCE = 100;

    private final String policy;
    private final Supplier<ClientAddress> addresses;
    private final AtomicInteger strangers = new AtomicInteger();
    private volatile boolean settled;

    UserPart(String policy, Supplier<ClientAddress> addresses) {
      this.policy = policy;
      this.addresses = addresses;
    }

    @Override
    public Key read(RequestInfo request) {
      Optional<String> user = request.user().filter(name -> !name.isBlank());
      if (!settled) {
        watch(user.isPresent());
      }
      return user.map(Key::user).orElseGet(() -> addresses.get().key(request));
    }

    private void watch(boolean present) {
      if (present) {
        settled = true;
      } else if (strangers.incrementAndGet() == PATIENCE) {
        settled = true;
        LOG.log(
            Level.WARNING,
            "The policy "
                + policy
                + " counts by USER but saw no principal in its first "
                + PATIENCE
                + " requests, which count by address: does it decide before authentication?");
      }
    }
  }
}
