package io.weir.compat.cassandra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Determines what a machine lacks to run Cassandra. */
final class Missing {
  static final String JDK =
      "no Cassandra here for want of a JDK of 11 to 17: say where by WEIR_TEST_JDK17";
  static final String ADDRESSES =
      "no cluster of Cassandra here, as 127.0.0.2 is no address of this machine";

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private Missing() {}

  /** Returns why no node can run here; empty if one can. */
  static Optional<String> forNode() {
    return Jdks.forCassandra().isPresent() ? Optional.empty() : leftOut(JDK);
  }

  /** Returns why several nodes can't, which need a loopback address each; empty if they can. */
  static Optional<String> forCluster() {
    return forNode().or(() -> bindable("127.0.0.2") ? Optional.empty() : leftOut(ADDRESSES));
  }

  /** Prints a reason once in the output of the build, where a skipped test is only a number. */
  private static Optional<String> leftOut(String why) {
    if (TOLD.add(why)) {
      System.err.println("Tests are left out: " + why);
    }
    return Optional.of(why);
  }

  private static boolean bindable(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
