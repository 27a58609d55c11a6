package io.weir.internal.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** What a node is called among those that share its database. */
final class NodeName {
  private static final int RANDOM_BYTES = 3;
  private static final int LONGEST = 90;

  private NodeName() {}

  /** The name that a setting gives, else the host's and a random number. */
  static String of(String given) {
    if (!given.isBlank()) {
      return shortened(given.strip());
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
    return name.substring(0, Math.min(LONGEST, name.length()));
  }
}
