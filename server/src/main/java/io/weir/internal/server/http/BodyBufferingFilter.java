package io.weir.internal.server.http;

import io.weir.Ticker;
import io.weir.internal.control.http.BoundedBodyReader;
import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Receives bodies before requests are served, without blocking a thread: within ten seconds, and a
 * few at a time for each caller. A body that has arrived with its head is passed on at once. Bodies
 * of anonymous callers are refused unread, since no endpoint takes them.
 *
 * <p>Safe for concurrent use.
 */
final class BodyBufferingFilter implements Filter {
  /**
   * The path of the only bodies that may be longer: rulebooks and changes of rules, up to 1 MiB.
   */
  private static final String RULEBOOK_PATH = "/v1/admin/ratelimit/rulebook";

  private static final int MAX_RULEBOOK_BYTES = 1 << 20;

  /** The most bodies of one caller that are read at the same time. */
  static final int BODIES_AT_ONCE = 16;

  private final CallerBulkhead queues = new CallerBulkhead(BODIES_AT_ONCE);
  private final Ticker ticker;

  BodyBufferingFilter(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public void doFilter(ServletRequest any, ServletResponse anyResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) any;
    HttpServletResponse response = (HttpServletResponse) anyResponse;
    Optional<IncomingBody> pending = IncomingBody.of(request);
    if (pending.isPresent()) {
      if (pending.get().isComplete()) {
        chain.doFilter(new BufferedBodyRequest(request, pending.get().bytes()), response);
      } else {
        pending.get().receive(request, response);
      }
      return;
    }
    if (!hasBody(request)) {
      chain.doFilter(request, response);
      return;
    }
    Optional<Authentication> caller = AuthenticatedRequest.of(request);
    if (caller.isEmpty()) {
      ProblemResponses.unauthorized(
          response, "Bearer realm=\"weir\"", "Authentication is required.");
      return;
    }
    int maxBytes = maxBytes(request, caller.get());
    if (request.getContentLengthLong() > maxBytes) {
      ProblemResponses.tooLarge(response, maxBytes);
    } else if (hasArrived(request)) {
      chain.doFilter(request, response);
    } else {
      new IncomingBody(queues, caller(caller.get()), maxBytes, ticker).begin(request, response);
    }
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
  }

  private static boolean hasArrived(HttpServletRequest request) throws IOException {
    long length = request.getContentLengthLong();
    return length > 0
        && request.getHeader("Expect") == null
        && request.getInputStream().available() >= length;
  }

  private static int maxBytes(HttpServletRequest request, Authentication caller) {
    return request.getRequestURI().equals(RULEBOOK_PATH) && caller.identity().may(Role.VIEW)
        ? MAX_RULEBOOK_BYTES
        : BoundedBodyReader.MAX_BYTES;
  }

  private static String caller(Authentication caller) {
    return caller
        .identity()
        .userId()
        .map(user -> "user " + user)
        .orElseGet(() -> "token " + caller.name());
  }
}
