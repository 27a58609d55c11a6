package io.weir.internal.server.http;

import io.weir.Ticker;
import io.weir.internal.control.http.BodyReader;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.Authentication;
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
 * Receives bodies before requests are served, without a thread that waits: within ten seconds, and
 * a few at a time for each caller. A body of which all has come with its head goes on at once.
 * Bodies of strangers are refused unread, since nothing here takes them.
 *
 * <p>Safe for concurrent use.
 */
final class BodyFilter implements Filter {
  /** The one body that may be longer: a rulebook in YAML, up to a mebibyte. */
  private static final String RULEBOOK = "/v1/admin/ratelimit/rulebook";

  private static final int LONGEST_RULEBOOK = 1 << 20;
  private static final int BODIES_AT_ONCE = 16;

  private final CallerQueues queues = new CallerQueues(BODIES_AT_ONCE);
  private final Ticker ticker;

  BodyFilter(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public void doFilter(ServletRequest any, ServletResponse anyResponse, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) any;
    HttpServletResponse response = (HttpServletResponse) anyResponse;
    Optional<IncomingBody> coming = IncomingBody.of(request);
    if (coming.isPresent()) {
      if (coming.get().isComplete()) {
        chain.doFilter(new BufferedBodyRequest(request, coming.get().bytes()), response);
      } else {
        coming.get().receive(request, response);
      }
      return;
    }
    if (!hasBody(request)) {
      chain.doFilter(request, response);
      return;
    }
    Optional<Authentication> who = SignedInRequest.of(request);
    if (who.isEmpty()) {
      ProblemResponses.unauthorized(response, "Bearer realm=\"weir\"", "Nobody is signed in.");
      return;
    }
    int longest = longest(request, who.get());
    if (request.getContentLengthLong() > longest) {
      ProblemResponses.tooLarge(response, longest);
    } else if (isHere(request)) {
      chain.doFilter(request, response);
    } else {
      new IncomingBody(queues, caller(who.get()), longest, ticker).begin(request, response);
    }
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
  }

  private static boolean isHere(HttpServletRequest request) throws IOException {
    long length = request.getContentLengthLong();
    return length > 0
        && request.getHeader("Expect") == null
        && request.getInputStream().available() >= length;
  }

  private static int longest(HttpServletRequest request, Authentication who) {
    return request.getRequestURI().equals(RULEBOOK) && who.identity().may(Role.ADMIN)
        ? LONGEST_RULEBOOK
        : BodyReader.LONGEST;
  }

  private static String caller(Authentication who) {
    return who.identity().userId().map(user -> "user " + user).orElseGet(() -> "token " + who.name());
  }
}
