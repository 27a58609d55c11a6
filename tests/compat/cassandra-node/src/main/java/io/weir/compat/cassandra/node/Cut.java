package io.weir.compat.cassandra.node;

import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.MessagingService;

/**
 * The nodes that this one is cut off from: what they send is dropped here, and what is meant for
 * them isn't sent, gossip included.
 *
 * <p>Thread-safe.
 */
final class Cut {
  private volatile Set<String> addresses = Set.of();

  private Cut() {}

  /** Stands between this node and all others from now on, and lets everything through. */
  static Cut install() {
    Cut cut = new Cut();
    MessagingService messages = MessagingService.instance();
    messages.inboundSink.add(message -> cut.allows(message.from()));
    messages.outboundSink.add((message, to) -> cut.allows(to));
    return cut;
  }

  /** Cuts this node off from these addresses and no others. */
  void from(Set<String> others) {
    addresses = Set.copyOf(others);
  }

  private boolean allows(InetAddressAndPort other) {
    return !addresses.contains(other.getAddress().getHostAddress());
  }
}
