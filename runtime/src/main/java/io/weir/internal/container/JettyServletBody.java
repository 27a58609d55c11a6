package io.weir.internal.container;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Finds out whether the body of a servlet request is still under way. Jetty then closes the
 * connection once the response has ended, and says so only in one that isn't committed by then.
 * Implementations of JAX-RS commit theirs before. Other containers read the rest, or say it.
 */
final class JettyServletBody {
  private static final String JETTY = "org.eclipse.jetty.";
  private static final String PERSISTENT = "HTTP/1.1";
  private static final int MAX_BYTES = 64 * 1024;
  private static final int PIECE = 4 * 1024;

  private JettyServletBody() {}

  /**
   * Returns whether Jetty will close the connection of a request. Drops what has arrived of its
   * body, and waits for nothing.
   *
   * @return false in another container, and over HTTP/2
   */
  static boolean isUnderWay(HttpServletRequest request) {
    HttpServletRequest received = ReceivedRequest.of(request);
    return received.getClass().getName().startsWith(JETTY)
        && received.getProtocol().equals(PERSISTENT)
        && !isRead(received);
  }

  private static boolean isRead(HttpServletRequest request) {
    try {
      ServletInputStream in = request.getInputStream();
      byte[] piece = new byte[PIECE];
      int dropped = 0;
      while (!in.isFinished() && dropped < MAX_BYTES && in.available() > 0) {
        dropped += Math.max(0, in.read(piece));
      }
      return in.isFinished() || dropped == request.getContentLengthLong();
    } catch (IOException | IllegalStateException unreadable) { // such as: read by a reader
      return false;
    }
  }
}
