package io.weir.compat.cassandra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;

/** What a machine lacks for a Cassandra to run on it. */
final class Missing {
  static final String JDK =
      "no Cassandra here for want of a JDK of 11 to 17: say where by WEIR_TEST_JDK17";
  static final String ADDRESSES =
      "no cluster of Cassandra here, as 127.0.0.2 is no address of this machine";

  private Missing() {}

  /** Why there can be no node. */
  static Optional<String> forNode() {
    return Jdks.forCassandra().isPresent() ? Optional.empty() : Optional.of(JDK);
  }

  /** Why there can be no several nodes, which need a loopback address each. */
  static Optional<String> forCluster() {
    return forNode().or(() -> bindable("127.0.0.2") ? Optional.empty() : Optional.of(ADDRESSES));
  }

  private static boolean bindable(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
