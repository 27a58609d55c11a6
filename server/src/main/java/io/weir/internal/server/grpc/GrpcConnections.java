package io.weir.internal.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.weir.internal.server.listener.AddressConnectionLimit;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the connections of a server, in total and by address, and closes those without a sign-in
 * in time.
 *
 * <p>Safe for concurrent use.
 */
final class GrpcConnections {
  private final int maxConnections;
  private final AddressConnectionLimit addresses;
  private final Duration signIn;
  private final AtomicInteger open = new AtomicInteger();

  /** Connections without a sign-in yet, by the address of the client. */
  private final ConcurrentHashMap<SocketAddress, Channel> unauthenticated =
      new ConcurrentHashMap<>();

  /**
   * Creates the limits of one server.
   *
   * @param maxConnections the most connections in total
   * @param addresses limits the connections of each address
   * @param signIn the longest time without a sign-in
   */
  GrpcConnections(int maxConnections, AddressConnectionLimit addresses, Duration signIn) {
    this.maxConnections = maxConnections;
    this.addresses = addresses;
    this.signIn = signIn;
  }

  /**
   * Counts an accepted connection, and starts its deadline.
   *
   * @param timers runs the deadline
   * @return false if there are too many connections: the caller closes this one
   */
  boolean tryAdd(Channel connection, EventLoop timers) {
    if (open.incrementAndGet() > maxConnections) {
      open.decrementAndGet();
      return false;
    }
    SocketAddress peer = connection.remoteAddress();
    if (peer == null || !addresses.tryAdd(peer)) {
      open.decrementAndGet();
      return false;
    }
    unauthenticated.put(peer, connection);
    Future<?> deadline =
        timers.schedule(
            () -> closeUnauthenticated(peer, connection), signIn.toMillis(), TimeUnit.MILLISECONDS);
    var unused =
        connection
            .closeFuture()
            .addListener(
                closed -> {
                  deadline.cancel(false);
                  unauthenticated.remove(peer, connection);
                  addresses.remove(peer);
                  open.decrementAndGet();
                });
    return true;
  }

  private void closeUnauthenticated(SocketAddress peer, Channel connection) {
    if (unauthenticated.remove(peer, connection)) {
      var unused = connection.close();
    }
  }

  /** Notes that a connection has a sign-in. */
  void signedIn(SocketAddress peer) {
    unauthenticated.remove(peer);
  }
}
