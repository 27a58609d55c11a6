package io.weir.internal.server.http;

import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.SignedIn;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Optional;

/** A request of somebody whom the server knows; JAX-RS makes its SecurityContext of it. */
final class SignedInRequest extends HttpServletRequestWrapper {
  private static final String ATTRIBUTE = SignedInRequest.class.getName();

  private final SignedIn who;

  SignedInRequest(HttpServletRequest request, SignedIn who) {
    super(request);
    this.who = who;
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
  public boolean isUserInRole(String name) {
    return Role.of(name).filter(who.access()::may).isPresent();
  }
}
