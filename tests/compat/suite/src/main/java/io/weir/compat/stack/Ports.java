package io.weir.compat.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports on loopback. Uses nothing but the JDK, as {@link StackMain} does. */
public final class Ports {
  private Ports() {}

  /**
   * Finds a port for a server that can't choose one itself, or doesn't report which.
   *
   * @return a port that is free now
   * @throws IOException if there is none
   */
  public static int free() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
