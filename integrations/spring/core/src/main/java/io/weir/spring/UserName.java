package io.weir.spring;

import io.weir.adapter.RequestValues;
import io.weir.spi.UserNames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/**
 * Reads the name of a user, by which limits count.
 *
 * <p>A principal of Spring Security without a name of its own has that of its object: {@code
 * com.example.User@1b2c3d}. It differs for each request if the object does, so that a limit by user
 * would never refuse anything: such a caller counts as one without a user, and a warning names the
 * class.
 *
 * <p>Safe for concurrent use.
 */
public final class UserName {
  private static final Logger LOG = System.getLogger("io.weir.spring");

  private static final boolean HAS_SECURITY =
      ClassUtils.isPresent(
          "org.springframework.security.core.Authentication", UserName.class.getClassLoader());

  /** Whether a class was named in the log, without keeping it in memory. */
  private static final ClassValue<AtomicBoolean> WARNED =
      new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
          return new AtomicBoolean();
        }
      };

  private UserName() {}

  /**
   * Reads the name of a principal.
   *
   * @param principal the framework's
   * @return empty if it can't be read, if it isn't a name, or if nobody has signed in
   */
  public static Optional<String> of(Principal principal) {
    return of(principal, any -> RequestValues.read(any::getName));
  }

  /**
   * Reads the name that the application gives to a principal.
   *
   * @param principal the framework's
   * @param names the application's
   * @return empty if it isn't a name, or if nobody has signed in
   */
  public static Optional<String> of(Principal principal, UserNames names) {
    return HAS_SECURITY && Security.isNobody(principal)
        ? Optional.empty()
        : RequestValues.read(() -> nameOf(principal, names));
  }

  /**
   * Reads the issuer of a principal's name, whether the application has one or several.
   *
   * @param principal the framework's
   * @return empty without Spring Security, and for names of the application's own
   */
  static Optional<String> issuer(Principal principal) {
    return HAS_SECURITY ? UserIssuer.of(principal) : Optional.empty();
  }

  /**
   * Finds the principal that Spring Security has signed in for this thread.
   *
   * @return empty without Spring Security, and before its sign-in
   */
  public static Optional<Principal> principalOfThread() {
    return HAS_SECURITY ? RequestValues.read(Security::ofThread) : Optional.empty();
  }

  /** Lets a native image read the issuers of names. */
  static void registerHints(RuntimeHints hints) {
    if (HAS_SECURITY) {
      UserIssuer.registerHints(hints);
    }
  }

  private static @Nullable String nameOf(Principal principal, UserNames names) {
    @Nullable String name = names.name(principal).orElse(null);
    if (name == null) {
      return null;
    }
    @Nullable Object named = HAS_SECURITY ? Security.principal(principal) : principal;
    if (!isDefault(name, principal) && !isDefault(name, named)) {
      return name;
    }
    warn(named == null ? principal.getClass() : named.getClass());
    return null;
  }

  /** Returns whether a name is what {@link Object#toString} returns for an object. */
  private static boolean isDefault(String name, @Nullable Object named) {
    if (named == null) {
      return false;
    }
    String type = named.getClass().getName();
    return name.startsWith(type) && name.equals(type + "@" + Integer.toHexString(named.hashCode()));
  }

  private static void warn(Class<?> type) {
    if (WARNED.get(type).compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "{0}: users of this class have no name, since it doesn''t override toString(), so limits"
              + " by user count them by their address; let it implement java.security.Principal,"
              + " with a getName() that stays the same from request to request (logged once)",
          type.getName());
    }
  }

  /** Loaded only where Spring Security is present. */
  private static final class Security {
    private Security() {}

    static @Nullable Principal ofThread() {
      return SecurityContextHolder.getContext().getAuthentication();
    }

    static boolean isNobody(Principal principal) {
      return principal instanceof AnonymousAuthenticationToken
          || principal instanceof Authentication signIn && !signIn.isAuthenticated();
    }

    /** Returns the object that a sign-in has the name of. */
    static @Nullable Object principal(Principal principal) {
      return principal instanceof Authentication signIn ? signIn.getPrincipal() : principal;
    }
  }
}
