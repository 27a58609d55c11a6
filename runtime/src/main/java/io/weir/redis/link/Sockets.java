package io.weir.redis.link;

import io.weir.redis.address.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Opens sockets, encrypted where that is asked for.
 *
 * <p>Safe for concurrent use.
 */
final class Sockets {
  private final Optional<SSLSocketFactory> tls;
  private final boolean verifyHost;
  private final int connectMillis;
  private final int readMillis;

  Sockets(Optional<SSLSocketFactory> tls, boolean verifyHost, int connectMillis, int readMillis) {
    this.tls = tls;
    this.verifyHost = verifyHost;
    this.connectMillis = connectMillis;
    this.readMillis = readMillis;
  }

  Socket open(Endpoint endpoint) throws IOException {
    IOException last = new IOException("no address");
    for (InetAddress address : InetAddress.getAllByName(endpoint.host())) {
      Socket plain = new Socket();
      try {
        plain.setTcpNoDelay(true);
        plain.setKeepAlive(true);
        plain.connect(new InetSocketAddress(address, endpoint.port()), connectMillis);
        plain.setSoTimeout(readMillis);
        return tls.isPresent() ? encrypted(tls.get(), plain, endpoint) : plain;
      } catch (IOException e) {
        plain.close();
        last = e;
      }
    }
    throw last;
  }

  private Socket encrypted(SSLSocketFactory factory, Socket plain, Endpoint endpoint)
      throws IOException {
    SSLSocket socket =
        (SSLSocket) factory.createSocket(plain, endpoint.host(), endpoint.port(), true);
    if (verifyHost) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    socket.startHandshake();
    return socket;
  }
}
