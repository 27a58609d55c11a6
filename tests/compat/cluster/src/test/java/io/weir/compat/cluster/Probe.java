package io.weir.compat.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Finds out whether a Redis answers, without any client library. */
final class Probe {
  private static final int MILLIS = 150;

  private Probe() {}

  /** Whether it answers a PING at once, be it with an error. */
  static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MILLIS);
      socket.setSoTimeout(MILLIS);
      socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
      return socket.getInputStream().read() >= 0;
    } catch (IOException away) {
      return false;
    }
  }
}
