package io.weir.compat.cassandra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free ports. */
final class Ports {
  static final String LOCALHOST = "127.0.0.1";
  private static final int FIRST = 28_000;
  private static final int COUNT = 4_000;

  private Ports() {}

  /**
   * Returns a port that is free on each of some addresses just now: none that systems give away.
   */
  static int free(List<String> addresses) {
    return ThreadLocalRandom.current()
        .ints(FIRST, FIRST + COUNT)
        .filter(port -> addresses.stream().allMatch(each -> free(each, port)))
        .findFirst()
        .orElseThrow();
  }

  private static boolean free(String address, int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
