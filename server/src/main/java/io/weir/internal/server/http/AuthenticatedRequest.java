package io.weir.internal.server.http;

import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of an authenticated caller, from which JAX-RS makes its SecurityContext.
 *
 * <p>Roles are checked again each time, because a streaming response may outlast its token.
 */
final class AuthenticatedRequest extends HttpServletRequestWrapper {
  private static final String ATTRIBUTE = AuthenticatedRequest.class.getName();

  private final Authentication caller;
  private final @Nullable String scheme;
  private final Supplier<Optional<Authentication>> current;

  /**
   * Wraps a request.
   *
   * @param scheme the scheme of {@code Authorization}; null for a cookie
   * @param current returns the caller by the credentials' present state
   */
  AuthenticatedRequest(
      HttpServletRequest request,
      Authentication caller,
      @Nullable String scheme,
      Supplier<Optional<Authentication>> current) {
    super(request);
    this.caller = caller;
    this.scheme = scheme;
    this.current = current;
    request.setAttribute(ATTRIBUTE, caller);
  }

  /** Returns the caller; empty if it is anonymous. */
  static Optional<Authentication> of(ServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Authentication caller
        ? Optional.of(caller)
        : Optional.empty();
  }

  @Override
  public Principal getUserPrincipal() {
    return caller::name;
  }

  @Override
  public String getRemoteUser() {
    return caller.name();
  }

  @Override
  public @Nullable String getAuthType() {
    return scheme;
  }

  @Override
  public boolean isUserInRole(String name) {
    return Role.of(name)
        .flatMap(role -> current.get().filter(each -> each.identity().may(role)))
        .isPresent();
  }
}
