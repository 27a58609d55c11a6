package io.weir.internal.server.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/**
 * Reads and drops the body of a refused request, even if it arrives after the response. Otherwise
 * the connection would be closed, and the client's next request on it lost.
 *
 * <p>No thread waits for it, since anonymous callers could occupy all threads. The connection is
 * closed if the body takes longer than ten seconds. One that is longer than 64 KiB, or of unknown
 * length, isn't read: then Jetty closes the connection, and says so in the response.
 *
 * <p>Safe for concurrent use.
 */
final class UnreadBodyFilter implements Filter {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int PIECE = 4 * 1024;
  private static final long TIMEOUT_MILLIS = 10_000;

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    long length = request.getContentLengthLong();
    boolean isShort = length > 0 && length <= MAX_BYTES && http.getHeader("Expect") == null;
    boolean hasBody = length > 0 || http.getHeader("Transfer-Encoding") != null;
    chain.doFilter(request, hasBody && !isShort ? new LateResponse(answer) : answer);
    boolean isRefused = answer.getStatus() >= HttpServletResponse.SC_BAD_REQUEST;
    if (isRefused
        && isShort
        && !request.isAsyncStarted()
        && !request.getInputStream().isFinished()) {
      response.flushBuffer();
      AsyncContext later = request.startAsync();
      later.setTimeout(TIMEOUT_MILLIS);
      ServletInputStream in = request.getInputStream();
      in.setReadListener(new Rest(in, later));
    }
  }

  /**
   * Leaves it to Jetty to announce the length: else it would commit the response with the last
   * byte, before it looks for the body of the request, and close the connection without saying so.
   */
  private static final class LateResponse extends HttpServletResponseWrapper {
    LateResponse(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setContentLength(int length) {}

    @Override
    public void setContentLengthLong(long length) {}
  }

  /** Reads to the end, and drops the bytes. */
  private record Rest(ServletInputStream in, AsyncContext later) implements ReadListener {
    @Override
    public void onDataAvailable() throws IOException {
      byte[] piece = new byte[PIECE];
      while (in.isReady()) {
        if (in.read(piece) < 0) {
          return;
        }
      }
    }

    @Override
    public void onAllDataRead() {
      later.complete();
    }

    @Override
    public void onError(Throwable ended) {
      later.complete();
    }
  }
}
