package io.weir.compat.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Signs in by {@code X-User}; answers 401 without it, except for error pages. */
final class SignIn extends HttpFilter {
  private final transient AtomicInteger signedIn = new AtomicInteger();

  /** Returns the number of sign-ins. */
  int signedIn() {
    return signedIn.get();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    @Nullable String user = request.getHeader("X-User");
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      chain.doFilter(request, response);
    } else if (user == null) {
      response.sendError(401);
    } else {
      signedIn.incrementAndGet();
      chain.doFilter(new SignedIn(request, principal(user)), response);
    }
  }

  private static Principal principal(String user) {
    return () -> {
      if (user.equals("broken")) {
        throw new IllegalStateException("on purpose");
      }
      return user;
    };
  }

  private static final class SignedIn extends HttpServletRequestWrapper {
    private final Principal principal;

    SignedIn(HttpServletRequest request, Principal principal) {
      super(request);
      this.principal = principal;
    }

    @Override
    public Principal getUserPrincipal() {
      return principal;
    }
  }
}
