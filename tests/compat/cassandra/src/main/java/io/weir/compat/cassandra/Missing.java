package io.weir.compat.cassandra;

import io.weir.seeds.Jdks;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;

/** Determines what a machine lacks to run Cassandra. */
final class Missing {
  static final String JDK = "a JDK of 11 to 17 for Cassandra (WEIR_TEST_JDK17 says where it is)";
  static final String ADDRESSES =
      "the address 127.0.0.2, which nodes of a cluster of Cassandra listen at";

  private Missing() {}

  /** Finds a JDK that Cassandra 5.0 runs on. */
  static Optional<Path> jdk() {
    return Jdks.find(11, 17, "WEIR_TEST_JDK17", "JAVA_HOME_17", "JAVA_HOME_11");
  }

  /** Returns why no node can run here; empty if one can. */
  static Optional<String> forNode() {
    return jdk().isPresent() ? Optional.empty() : report(JDK);
  }

  /** Returns why several nodes can't, which need a loopback address each; empty if they can. */
  static Optional<String> forCluster() {
    return forNode().or(() -> bindable("127.0.0.2") ? Optional.empty() : report(ADDRESSES));
  }

  private static Optional<String> report(String what) {
    return Optional.of(RequiredPrograms.reportMissing(what));
  }

  private static boolean bindable(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
