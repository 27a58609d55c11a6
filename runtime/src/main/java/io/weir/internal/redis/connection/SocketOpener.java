package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.connection.ConnectDeadlines.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens sockets, encrypted if required.
 *
 * <p>Safe for concurrent use.
 */
final class SocketOpener {
  /**
   * The shortest time-out of a handshake, in milliseconds. It is work for both sides, and on a busy
   * machine the first one of a JVM takes longer than a batch may.
   */
  private static final int SHORTEST_HANDSHAKE = 1_000;

  private final Optional<Supplier<SSLSocketFactory>> tls;
  private final boolean verifyHost;
  private final int connectMillis;
  private final int readMillis;
  private final ConnectDeadlines deadlines;
  private final TlsHints hints = new TlsHints();

  SocketOpener(
      Optional<Supplier<SSLSocketFactory>> tls,
      boolean verifyHost,
      int connectMillis,
      int readMillis,
      ConnectDeadlines deadlines) {
    this.tls = tls;
    this.verifyHost = verifyHost;
    this.connectMillis = connectMillis;
    this.readMillis = readMillis;
    this.deadlines = deadlines;
  }

  /**
   * A connected socket.
   *
   * @param raw the underlying socket, whose closing ends the connection at once; closing an
   *     encrypted one would wait for a server that doesn't read
   */
  record Connected(Socket raw, Socket stream) {}

  /** Returns what to append to the message of a failed exchange; may be empty. */
  String hint(HostAndPort server, Throwable cause) {
    return tls.isPresent() ? "" : hints.ofPlain(server, cause);
  }

  /** Records that a server speaks TLS if this does, and none if it doesn't. */
  void markAnswered(HostAndPort server) {
    hints.markAnswered(server);
  }

  Connected open(HostAndPort endpoint) throws IOException {
    IOException last = new IOException("no address");
    for (InetAddress address : addresses(endpoint.host())) {
      try {
        return open(new InetSocketAddress(address, endpoint.port()), endpoint);
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static InetAddress[] addresses(String host) throws UnknownHostException {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      UnknownHostException plain = new UnknownHostException("unknown host");
      plain.initCause(e);
      throw plain;
    }
  }

  private Connected open(InetSocketAddress address, HostAndPort endpoint) throws IOException {
    int most = connectMillis + Math.max(SHORTEST_HANDSHAKE, readMillis);
    Socket plain = new Socket();
    boolean opened = false;
    try (Deadline deadline = deadlines.begin(plain, most)) {
      plain.setTcpNoDelay(true);
      plain.setKeepAlive(true);
      plain.connect(address, connectMillis);
      plain.setSoTimeout(readMillis);
      Socket stream =
          tls.isPresent() ? encrypted(tls.get().get(), plain, endpoint, deadline) : plain;
      opened = true;
      return new Connected(plain, stream);
    } finally {
      if (!opened) { // whatever was thrown, an Error too
        ConnectDeadlines.close(plain);
      }
    }
  }

  private Socket encrypted(
      SSLSocketFactory factory, Socket plain, HostAndPort endpoint, Deadline deadline)
      throws IOException {
    SSLSocket socket =
        (SSLSocket) factory.createSocket(plain, endpoint.host(), endpoint.port(), true);
    if (verifyHost) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    try {
      socket.startHandshake();
    } catch (IOException e) {
      throw new IOException(handshakeFailure(e, endpoint, deadline), e);
    }
    markAnswered(endpoint);
    return socket;
  }

  private String handshakeFailure(IOException e, HostAndPort server, Deadline deadline) {
    if (deadline.missed()) {
      return "its TLS handshake takes too long";
    }
    for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return "its certificate isn't trusted: "
            + e.getMessage()
            + "; see weir.store.redis.trust-store and weir.store.redis.verify-host";
      }
    }
    return "no TLS handshake: " + e.getMessage() + hints.ofHandshake(server, e);
  }
}
