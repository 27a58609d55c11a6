package io.weir.internal.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Names a node among those that share its database. */
final class NodeName {
  private static final int RANDOM_BYTES = 3;
  private static final int MAX_CHARACTERS = 90;

  private NodeName() {}

  /** Returns the configured name, else the host name and a random number. */
  static String of(String configured) {
    if (!configured.isBlank()) {
      return shortened(configured.strip());
    }
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return shortened(host()) + "-" + HexFormat.of().formatHex(random);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "node";
    }
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(MAX_CHARACTERS, name.length()));
  }
}
