package io.weir.internal.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.weir.internal.server.listener.AddressLimit;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of a server: bounds how many there are, in all and by address, and closes those
 * on which nobody has signed in in time.
 *
 * <p>Safe for concurrent use.
 */
final class GrpcConnections {
  private final int most;
  private final AddressLimit addresses;
  private final Duration signIn;
  private final AtomicInteger open = new AtomicInteger();

  /** Connections on which nobody has signed in yet, by where they come from. */
  private final ConcurrentHashMap<SocketAddress, Channel> strangers = new ConcurrentHashMap<>();

  /**
   * Bounds the connections of one server.
   *
   * @param most how many there may be
   * @param addresses how many an address may have
   * @param signIn how long a connection may be there without a sign-in
   */
  GrpcConnections(int most, AddressLimit addresses, Duration signIn) {
    this.most = most;
    this.addresses = addresses;
    this.signIn = signIn;
  }

  /**
   * Counts a connection that was accepted, and watches it.
   *
   * @param timers runs its deadline
   * @return false if there are too many: then it is to be closed
   */
  boolean tryAdd(Channel connection, EventLoop timers) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      return false;
    }
    SocketAddress peer = connection.remoteAddress();
    if (peer == null || !addresses.tryAdd(peer)) {
      open.decrementAndGet();
      return false;
    }
    strangers.put(peer, connection);
    Future<?> deadline =
        timers.schedule(
            () -> endStranger(peer, connection), signIn.toMillis(), TimeUnit.MILLISECONDS);
    var unused =
        connection
            .closeFuture()
            .addListener(
                closed -> {
                  deadline.cancel(false);
                  strangers.remove(peer, connection);
                  addresses.remove(peer);
                  open.decrementAndGet();
                });
    return true;
  }

  private void endStranger(SocketAddress peer, Channel connection) {
    if (strangers.remove(peer, connection)) {
      var unused = connection.close();
    }
  }

  /** Somebody has signed in on a connection. */
  void signedIn(SocketAddress peer) {
    strangers.remove(peer);
  }
}
