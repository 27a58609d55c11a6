package io.weir.internal.extension;

import io.weir.spi.UserNames;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application's {@link UserNames}; if it fails, the caller has no user. Without one, a
 * user has the name of its principal.
 *
 * <p>Safe for concurrent use.
 */
public final class SafeUserNames implements UserNames {
  /** Names users by their principals. */
  public static final UserNames PLAIN = SafeUserNames::plain;

  private final UserNames names;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafeUserNames.class.getName()),
          "the UserNames failed: such callers count as if they had no user");

  public SafeUserNames(UserNames names) {
    this.names = names;
  }

  /** Whatever a principal throws, it has no name. No lambdas: rules read it for each request. */
  private static Optional<String> plain(Principal principal) {
    try {
      @Nullable String name = principal.getName();
      return Optional.ofNullable(name);
    } catch (RuntimeException | LinkageError unreadable) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> name(Principal principal) {
    return ask(names::name, principal);
  }

  @Override
  public Optional<String> issuer(Principal principal) {
    return ask(names::issuer, principal);
  }

  private Optional<String> ask(
      Function<Principal, @Nullable Optional<String>> question, Principal principal) {
    return calls.get(
        () -> Objects.requireNonNull(question.apply(principal), "null instead of an Optional"),
        Optional.empty());
  }
}
