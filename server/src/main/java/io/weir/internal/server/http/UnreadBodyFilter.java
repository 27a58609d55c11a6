package io.weir.internal.server.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Reads what a refused request brings, also where that comes later than the refusal goes out.
 * Otherwise the connection would be closed, and the client's next request on it lost.
 *
 * <p>Safe for concurrent use.
 */
final class UnreadBodyFilter implements Filter {
  private static final int MOST_BYTES = 64 * 1024;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(request, response);
    int length = request.getContentLength();
    boolean isSent = ((HttpServletRequest) request).getHeader("Expect") == null;
    if (length > 0 && length <= MOST_BYTES && isSent && !request.isAsyncStarted()) {
      try {
        request.getInputStream().skipNBytes(length);
      } catch (IOException | IllegalStateException readAlready) {
        // nothing is left
      }
    }
  }
}
