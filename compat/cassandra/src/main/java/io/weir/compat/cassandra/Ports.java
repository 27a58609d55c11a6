package io.weir.compat.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** Finds free ports. */
final class Ports {
  static final String LOCALHOST = "127.0.0.1";

  private Ports() {}

  /** Returns a port that is free on each of some addresses just now. */
  static int free(List<String> addresses) {
    for (; ; ) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(addresses.get(0)))) {
        int port = socket.getLocalPort();
        if (addresses.stream().skip(1).allMatch(each -> free(each, port))) {
          return port;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static boolean free(String address, int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
