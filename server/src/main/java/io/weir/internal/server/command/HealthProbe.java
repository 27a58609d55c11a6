package io.weir.internal.server.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Asks a server on this machine whether it is ready. */
record HealthProbe(InetSocketAddress address) {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final String REQUEST =
      "GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  /** Connects, and asks nothing. */
  void connect() throws IOException {
    open().close();
  }

  /** Returns the first line of the response; empty if there is none. */
  String status(boolean isTls) throws IOException {
    try (Socket plain = open();
        Socket socket = isTls ? encrypt(plain) : plain) {
      socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      BufferedReader response =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String line = response.readLine();
      return line == null ? "" : line;
    }
  }

  private Socket open() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(address, TIMEOUT_MILLIS);
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw new IOException(address + " can't be reached: " + failed.getMessage(), failed);
    }
  }

  /** Takes any certificate: nothing secret is sent, and a certificate names the public host. */
  private Socket encrypt(Socket plain) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, null);
      return context
          .getSocketFactory()
          .createSocket(plain, address.getHostString(), address.getPort(), true);
    } catch (GeneralSecurityException impossible) {
      throw new IOException(impossible);
    }
  }

  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
