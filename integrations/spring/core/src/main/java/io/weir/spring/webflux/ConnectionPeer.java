package io.weir.spring.webflux;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.undertow.server.HttpServerExchange;
import io.weir.servlet.ServletPeer;
import io.weir.spring.server.ArrivalWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Finds the address at the other end of a connection, and the event loop that serves it. It is the
 * address of the connection itself: the one that the request shows may come from a {@code
 * Forwarded} field that any caller can send.
 *
 * <p>Immutable.
 */
final class ConnectionPeer {
  private static final boolean HAS_NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");

  private static final boolean HAS_SERVLETS = isPresent("jakarta.servlet.http.HttpServletRequest");
  private static final boolean HAS_UNDERTOW = isPresent("io.undertow.server.HttpServerExchange");

  private ConnectionPeer() {}

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, ConnectionPeer.class.getClassLoader());
  }

  /**
   * Reads the address as text.
   *
   * @param arrived the request before any filter has seen it
   * @return blank for a Unix-domain socket; empty if the server doesn't know the address
   */
  static Optional<String> of(ServerHttpRequest arrived) {
    @Nullable Object received = nativeRequest(arrived);
    if (HAS_NETTY && received instanceof HttpServerRequest request) {
      return Netty.peer(request);
    }
    if (HAS_SERVLETS && received instanceof HttpServletRequest request) {
      return ServletPeer.address(request);
    }
    if (HAS_UNDERTOW && received instanceof HttpServerExchange exchange) {
      return Optional.of(ArrivalWrapper.address(exchange).orElse(""));
    }
    return text(arrived.getRemoteAddress());
  }

  /**
   * Reads a field in which proxies report addresses.
   *
   * @return its lines as the server received them; empty if the request still has them
   */
  static Optional<List<String>> reported(ServerHttpRequest arrived, String name) {
    return HAS_SERVLETS && nativeRequest(arrived) instanceof HttpServletRequest request
        ? Optional.of(ServletPeer.headers(request, name))
        : Optional.empty();
  }

  /**
   * Finds the threads that go on with a request after another thread has decided it.
   *
   * @return the connection's event loop; threads that mustn't block either where there is none
   */
  static Scheduler eventLoop(ServerHttpRequest arrived) {
    return HAS_NETTY && nativeRequest(arrived) instanceof HttpServerRequest request
        ? Netty.eventLoop(request)
        : Schedulers.parallel();
  }

  /**
   * Puts off an answer until the event loop has done what it is doing. Reactor Netty before 1.3.8
   * takes up a request that came before the previous one had ended, and reads no further from the
   * connection if that request is answered before it was passed on whole.
   *
   * @return the same answer where another server serves
   */
  static <T> Mono<T> inLaterTask(ServerHttpRequest arrived, Mono<T> answer) {
    return HAS_NETTY && nativeRequest(arrived) instanceof HttpServerRequest request
        ? answer.subscribeOn(Netty.eventLoop(request))
        : answer;
  }

  private static @Nullable Object nativeRequest(ServerHttpRequest request) {
    try {
      return ServerHttpRequestDecorator.getNativeRequest(request);
    } catch (IllegalArgumentException | IllegalStateException none) { // such as that of a test
      return null;
    }
  }

  private static Optional<String> text(@Nullable InetSocketAddress address) {
    if (address == null) {
      return Optional.empty();
    }
    return Optional.of(
        address.getAddress() == null
            ? address.getHostString()
            : address.getAddress().getHostAddress());
  }

  /** Loaded only where Reactor Netty serves. */
  private static final class Netty {
    /** Set by Reactor Netty where the server speaks the PROXY protocol. */
    private static final AttributeKey<InetSocketAddress> PROXY_PROTOCOL =
        AttributeKey.valueOf("remoteAddressFromProxyProtocol");

    private Netty() {}

    static Optional<String> peer(HttpServerRequest request) {
      @Nullable InetSocketAddress announced = announced(channel(request));
      if (announced != null) {
        return text(announced);
      }
      @Nullable SocketAddress connected = request.connectionRemoteAddress();
      if (connected == null) {
        return Optional.empty();
      }
      return connected instanceof InetSocketAddress address ? text(address) : Optional.of("");
    }

    private static @Nullable InetSocketAddress announced(@Nullable Channel channel) {
      @Nullable Channel each = channel;
      while (each != null) { // a stream of HTTP/2, then its connection
        @Nullable InetSocketAddress address =
            each.hasAttr(PROXY_PROTOCOL) ? each.attr(PROXY_PROTOCOL).get() : null;
        if (address != null) {
          return address;
        }
        each = each.parent();
      }
      return null;
    }

    static Scheduler eventLoop(HttpServerRequest request) {
      @Nullable Channel channel = channel(request);
      return channel == null ? Schedulers.parallel() : Schedulers.fromExecutor(channel.eventLoop());
    }

    private static @Nullable Channel channel(HttpServerRequest request) {
      @Nullable Channel[] found = new Channel[1];
      request.withConnection(connection -> found[0] = connection.channel());
      return found[0];
    }
  }
}
