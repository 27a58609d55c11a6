package io.weir.internal.container;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a request's connection, as the server knows it.
 *
 * <p>Immutable.
 *
 * @param received the values of header fields that report addresses, by their names in lower case;
 *     only those that a filter hides from the application, or has changed
 * @param wrapper the class by which a filter reports another address, which isn't used
 */
public record Peer(String address, Map<String, List<String>> received, Optional<String> wrapper) {
  /** The header fields in which proxies report addresses, in lower case. */
  static final List<String> FIELDS = List.of("x-forwarded-for", "forwarded");

  /** Makes a peer of which the application sees everything. */
  public static Peer at(String address) {
    return new Peer(address, Map.of(), Optional.empty());
  }

  /** Makes one of an address that the server may not know. */
  static Optional<Peer> ofNullable(@Nullable String address) {
    return Optional.ofNullable(address).map(Peer::at);
  }

  /** Returns a peer with another address that sent the same header fields. */
  public Peer withAddress(String other) {
    return new Peer(other, received, Optional.empty());
  }

  /** Returns whether a header field may report addresses, whatever the case of its name. */
  public static boolean isReportedIn(String name) {
    for (String each : FIELDS) {
      if (each.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds the values of a header field as they were received.
   *
   * @param name its name in any case
   * @return empty if the application sees them too
   */
  public Optional<List<String>> received(String name) {
    return received.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(received.get(name.toLowerCase(Locale.ROOT)));
  }
}
