package io.weir.spring.server;

import io.weir.servlet.ServletPeer;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/**
 * Notes the address of the connection as Jetty received it, below what a {@code
 * ForwardedRequestCustomizer} has put around the request.
 *
 * <p>Safe for concurrent use.
 */
public final class ArrivalHandler extends Handler.Wrapper {
  private ArrivalHandler(Handler next) {
    super(next);
  }

  /**
   * Puts a handler around that of a server, whichever connectors it has.
   *
   * @param server a server that isn't started
   */
  public static void addTo(Server server) {
    server.setHandler(new ArrivalHandler(server.getHandler()));
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Request received = Request.unWrap(request);
    request.setAttribute(
        ServletPeer.ATTRIBUTE,
        ServletPeer.arrival(
            Optional.ofNullable(Request.getRemoteAddr(received)).orElse(""),
            received.getHeaders()::getValuesList));
    return super.handle(request, response, callback);
  }
}
