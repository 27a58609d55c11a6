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

  GrpcConnections(int maxConnections, AddressConnectionLimit addresses, Duration signIn) {
    this.maxConnections = maxConnections;
    this.addresses = addresses;
    this.signIn = signIn;
  }

  /**
   * Counts an accepted connection, and starts its deadline; returns false if there are too many
   * connections: the caller closes this one.
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

  void signedIn(SocketAddress peer) {
    unauthenticated.remove(peer);
  }
}
