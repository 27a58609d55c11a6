package io.weir.spring.server;

import io.undertow.server.HandlerWrapper;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import io.undertow.util.HeaderValues;
import io.weir.servlet.ServletPeer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes the address of the connection as Undertow received it, whatever its {@code
 * ProxyPeerAddressHandler} has made of it. An outer wrapper of a deployment.
 *
 * <p>Safe for concurrent use.
 */
public final class ArrivalWrapper implements HandlerWrapper {
  @Override
  public HttpHandler wrap(HttpHandler next) {
    return exchange -> {
      @Nullable ServletRequestContext context =
          exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY);
      if (context != null) {
        Object arrival =
            ServletPeer.arrival(address(exchange).orElse(""), name -> values(exchange, name));
        context.getServletRequest().setAttribute(ServletPeer.ATTRIBUTE, arrival);
      }
      next.handleRequest(exchange);
    };
  }

  /**
   * Reads the address of the connection.
   *
   * @param exchange a request
   * @return the address as text; empty for a Unix-domain socket
   */
  public static Optional<String> address(HttpServerExchange exchange) {
    @Nullable InetSocketAddress peer =
        exchange.getConnection().getPeerAddress(InetSocketAddress.class);
    return Optional.ofNullable(peer)
        .map(
            each ->
                each.getAddress() == null
                    ? each.getHostString()
                    : each.getAddress().getHostAddress());
  }

  private static List<String> values(HttpServerExchange exchange, String name) {
    @Nullable HeaderValues values = exchange.getRequestHeaders().get(name);
    return values == null ? List.of() : List.copyOf(values);
  }
}
