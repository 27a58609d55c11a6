package io.weir.internal.rules.nodes;

import io.weir.internal.rules.database.LineText;
import io.weir.internal.rules.database.StorableText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names nodes among those that share their database, and applications. */
public final class NodeName {
  /** The longest name that can be set, so that there is room for a random part. */
  static final int MAX_CHARACTERS = 90;

  private static final int MAX_APPLICATION = 100;
  private static final int RANDOM_BYTES = 3;

  private NodeName() {}

  /** Throws {@link IllegalArgumentException} if a name is too long, or has control characters. */
  static void check(String name) {
    if (name.strip().length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "weir.node must have at most " + MAX_CHARACTERS + " characters");
    }
    if (name.strip().chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("weir.node must not contain control characters");
    }
  }

  /**
   * Returns a name that is set, else the host name and a random number. May wait for the network.
   */
  static String of(String name) {
    return name.isBlank() ? withRandomPart(host()) : name.strip();
  }

  /** Returns a name that no other node has. */
  static String withRandomPart(String name) {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return name.substring(0, Math.min(MAX_CHARACTERS, name.length()))
        + "-"
        + HexFormat.of().formatHex(random);
  }

  /**
   * Returns the name of an application as tables and logs have it: in one line.
   *
   * @return of at most {@value #MAX_APPLICATION} characters; empty if the text names none
   */
  public static Optional<String> ofApplication(@Nullable String text) {
    return Optional.ofNullable(text)
        .map(String::strip)
        .filter(name -> !name.isEmpty() && StorableText.is(name))
        .map(LineText::of)
        .map(NodeName::shortened);
  }

  private static String shortened(String name) {
    int end = Math.min(MAX_APPLICATION, name.length());
    boolean isHalf = end > 0 && Character.isHighSurrogate(name.charAt(end - 1));
    return name.substring(0, isHalf ? end - 1 : end);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "node";
    }
  }
}
