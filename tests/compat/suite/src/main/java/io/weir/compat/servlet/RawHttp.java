package io.weir.compat.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends bytes that no valid client would. */
final class RawHttp {
  private static final int PATIENCE_MILLIS = 120_000;

  private RawHttp() {}

  /** Sends one request from an address of this machine, and reads until the server closes. */
  static Answer send(String from, int port, String request) {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return Answer.parse(
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
