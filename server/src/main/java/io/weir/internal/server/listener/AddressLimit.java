package io.weir.internal.server.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds how many connections of a door one address has at a time, so that a few addresses can't
 * take all of them. IPv6 counts by its first 64 bits.
 *
 * <p>Safe for concurrent use.
 */
public final class AddressLimit {
  private static final int NETWORK_BYTES = 8;

  private final int most;
  private final ConcurrentHashMap<InetAddress, Integer> connections = new ConcurrentHashMap<>();

  /**
   * Bounds the connections of one door.
   *
   * @param most how many an address may have, 1 and more
   */
  public AddressLimit(int most) {
    this.most = most;
  }

  /**
   * Counts a connection.
   *
   * @param peer where it comes from
   * @return false, and nothing is counted, if the address has as many as it may
   */
  public boolean tryAdd(SocketAddress peer) {
    boolean[] isAdded = {true};
    connections.compute(
        network(peer),
        (address, open) -> {
          int count = open == null ? 0 : open;
          isAdded[0] = count < most;
          return isAdded[0] ? count + 1 : count;
        });
    return isAdded[0];
  }

  /**
   * Counts a connection no more.
   *
   * @param peer as it was added
   */
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
