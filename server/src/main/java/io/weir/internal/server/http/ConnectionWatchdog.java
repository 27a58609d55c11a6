package io.weir.internal.server.http;

import io.weir.Ticker;
import io.weir.internal.server.listener.AddressLimit;
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
 * Closes connections on which the head of a request takes too long: since the connection was
 * accepted, its TLS included, or since the first byte after another request. Jetty's own time-out
 * begins anew with each byte. Closes a connection at once where its address has too many.
 *
 * <p>Safe for concurrent use.
 */
final class ConnectionWatchdog implements Connection.Listener {
  private static final Duration HEAD = Duration.ofSeconds(10);
  private static final long SWEEP_MILLIS = 500;

  private final ConcurrentHashMap<Connection, Watched> connections = new ConcurrentHashMap<>();
  private final AddressLimit addresses;
  private final Ticker ticker;

  ConnectionWatchdog(AddressLimit addresses, Ticker ticker) {
    this.addresses = addresses;
    this.ticker = ticker;
  }

  /** A connection of HTTP. Safe for concurrent use. */
  private static final class Watched {
    private final SocketAddress peer;

    /** Requests whose head has come and that haven't ended. */
    private int requests;

    private long bytesBefore;

    /** When a head has begun, as far as is known; null: none has. */
    private @Nullable Long since;

    Watched(SocketAddress peer, long now) {
      this.peer = peer;
      this.since = now;
    }

    synchronized boolean isLate(Connection connection, long now) {
      Long began = since;
      if (began != null) {
        return now - began > HEAD.toNanos();
      }
      if (requests == 0 && connection.getBytesIn() != bytesBefore) {
        since = now;
      }
      return false;
    }

    /** The head has come, however short the request will be: most are between two sweeps. */
    synchronized void begin() {
      requests++;
      since = null;
    }

    synchronized void end(Connection connection) {
      bytesBefore = connection.getBytesIn();
      requests--;
    }
  }

  /** Looks at all connections now and then, until the scheduler stops. */
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
      return; // TLS, around one of HTTP
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

  /** The head of a request has come. */
  void begin(Request request) {
    Connection connection = request.getConnectionMetaData().getConnection();
    Watched watched = connections.get(connection);
    if (watched != null) {
      watched.begin();
      Request.addCompletionListener(request, failure -> watched.end(connection));
    }
  }
}
