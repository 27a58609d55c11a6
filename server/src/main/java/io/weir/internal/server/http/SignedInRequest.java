package io.weir.internal.server.http;

import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.SignedIn;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of somebody whom the server knows; JAX-RS makes its SecurityContext of it.
 *
 * <p>Roles are asked for anew each time, since an answer may last longer than its token.
 */
final class SignedInRequest extends HttpServletRequestWrapper {
  private static final String ATTRIBUTE = SignedInRequest.class.getName();

  private final SignedIn who;
  private final @Nullable String scheme;
  private final Supplier<Optional<SignedIn>> now;

  /**
   * A request of somebody.
   *
   * @param who who it is
   * @param scheme how the caller signed in, as {@code Authorization} has it; null: by a cookie
   * @param now who it is at a later moment
   */
  SignedInRequest(
      HttpServletRequest request,
      SignedIn who,
      @Nullable String scheme,
      Supplier<Optional<SignedIn>> now) {
    super(request);
    this.who = who;
    this.scheme = scheme;
    this.now = now;
    request.setAttribute(ATTRIBUTE, who);
  }

  /** Who it is; nothing if nobody is signed in. */
  static Optional<SignedIn> of(ServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof SignedIn who
        ? Optional.of(who)
        : Optional.empty();
  }

  @Override
  public Principal getUserPrincipal() {
    return who::name;
  }

  @Override
  public String getRemoteUser() {
    return who.name();
  }

  @Override
  public @Nullable String getAuthType() {
    return scheme;
  }

  @Override
  public boolean isUserInRole(String name) {
    return Role.of(name)
        .flatMap(role -> now.get().filter(each -> each.access().may(role)))
        .isPresent();
  }
}
