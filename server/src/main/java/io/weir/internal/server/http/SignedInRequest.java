package io.weir.internal.server.http;

import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.Authentication;
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

  private final Authentication who;
  private final @Nullable String scheme;
  private final Supplier<Optional<Authentication>> now;

  /**
   * A request of somebody.
   *
   * @param who who it is
   * @param scheme how the caller signed in, as {@code Authorization} has it; null: by a cookie
   * @param now who it is at a later moment
   */
  SignedInRequest(
      HttpServletRequest request,
      Authentication who,
      @Nullable String scheme,
      Supplier<Optional<Authentication>> now) {
    super(request);
    this.who = who;
    this.scheme = scheme;
    this.now = now;
    request.setAttribute(ATTRIBUTE, who);
  }

  /** Who it is; nothing if nobody is signed in. */
  static Optional<Authentication> of(ServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Authentication who
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
        .flatMap(role -> now.get().filter(each -> each.identity().may(role)))
        .isPresent();
  }
}
