package io.weir.internal.server.http;

import io.weir.Ticker;
import io.weir.internal.server.listener.AddressConnectionLimit;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections on which the head of a request takes too long: counted from the accept, TLS
 * included, or from the first byte after another request. Jetty's own time-out restarts with each
 * byte. Closes a connection at once if its address has too many.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectionWatchdog implements Connection.Listener {
  private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);
  private static final long SWEEP_MILLIS = 500;

  private final ConcurrentHashMap<Connection, Watched> connections = new ConcurrentHashMap<>();
  private final AddressConnectionLimit addresses;
  private final Ticker ticker;

  ConnectionWatchdog(AddressConnectionLimit addresses, Ticker ticker) {
    this.addresses = addresses;
    this.ticker = ticker;
  }

  /** The state of an HTTP connection. Safe for concurrent use. */
  private static final class Watched {
    private final SocketAddress peer;

    /** The number of requests whose head has arrived and that haven't ended. */
    private int requests;

    private long bytesBefore;

    /** The time at which a head began, as far as is known; null if none has. */
    private @Nullable Long since;

    Watched(SocketAddress peer, long now) {
      this.peer = peer;
      this.since = now;
    }

    synchronized boolean isLate(Connection connection, long now) {
      Long began = since;
      if (began != null) {
        return now - began > HEAD_TIMEOUT.toNanos();
      }
      if (requests == 0 && connection.getBytesIn() != bytesBefore) {
        since = now;
      }
      return false;
    }

    /** Notes that a head has arrived, since most requests begin and end between two sweeps. */
    synchronized void begin() {
      requests++;
      since = null;
    }

    synchronized void end(Connection connection) {
      bytesBefore = connection.getBytesIn();
      requests--;
    }
  }

  /** Checks all connections periodically, until the scheduler stops. */
  void start(Scheduler scheduler) {
    var unused =
        scheduler.schedule(
            () -> {
              sweep();
              start(scheduler);
            },
            SWEEP_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    long now = ticker.nanoTime();
    connections.forEach(
        (connection, watched) -> {
          if (watched.isLate(connection, now)) {
            connection.getEndPoint().close();
          }
        });
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof ConnectionMetaData)) {
      return; // TLS, around an HTTP connection
    }
    SocketAddress peer = connection.getEndPoint().getRemoteSocketAddress();
    if (addresses.tryAdd(peer)) {
      connections.put(connection, new Watched(peer, ticker.nanoTime()));
    } else {
      connection.getEndPoint().close();
    }
  }

  @Override
  public void onClosed(Connection connection) {
    Watched closed = connections.remove(connection);
    if (closed != null) {
      addresses.remove(closed.peer);
    }
  }

  /**
   * Notes that the head of a request has arrived.
   *
   * @return false if the connection is closed, since an earlier answer couldn't be written: Jetty
   *     goes on with what it has read of it, but nobody would get the answers
   */
  boolean begin(Request request) {
    Connection connection = request.getConnectionMetaData().getConnection();
    Watched watched = connections.get(connection);
    if (watched != null) {
      watched.begin();
      Request.addCompletionListener(request, failure -> watched.end(connection));
    }
    return connection.getEndPoint().isOpen();
  }
}
