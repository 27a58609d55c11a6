package io.weir.internal.server.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits the connections of each address to one listener, so that a few addresses can't take all of
 * them. IPv6 addresses count by their first 64 bits.
 *
 * <p>Safe for concurrent use.
 */
public final class AddressConnectionLimit {
  private static final int NETWORK_BYTES = 8;

  private final int maxConnections;
  private final ConcurrentHashMap<InetAddress, Integer> connections = new ConcurrentHashMap<>();

  /** Takes the most connections of an address, at least 1. */
  public AddressConnectionLimit(int maxConnections) {
    this.maxConnections = maxConnections;
  }

  /**
   * Counts a connection; returns false, and counts nothing, if the address has reached the limit.
   */
  public boolean tryAdd(SocketAddress peer) {
    boolean[] isAdded = {true};
    connections.compute(
        network(peer),
        (address, open) -> {
          int count = open == null ? 0 : open;
          isAdded[0] = count < maxConnections;
          return isAdded[0] ? count + 1 : count;
        });
    return isAdded[0];
  }

  public void remove(SocketAddress peer) {
    connections.computeIfPresent(network(peer), (address, open) -> open > 1 ? open - 1 : null);
  }

  private static InetAddress network(SocketAddress peer) {
    InetAddress address =
        peer instanceof InetSocketAddress inet && inet.getAddress() != null
            ? inet.getAddress()
            : InetAddress.getLoopbackAddress();
    if (address instanceof Inet6Address) {
      byte[] bytes = address.getAddress();
      Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
      try {
        return InetAddress.getByAddress(bytes);
      } catch (UnknownHostException impossible) {
        throw new IllegalStateException("16 bytes are an address", impossible);
      }
    }
    return address;
  }
}
