package io.weir.internal.key;

import inet.ipaddr.IPAddress;
import io.weir.Key;
import io.weir.internal.value.IpAddressParser;
import io.weir.spi.RequestInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns if callers share one address: behind a proxy that isn't trusted all callers count as one,
 * and the first busy hour locks them out. Warns once for each reason and names the setting that
 * helps.
 *
 * <p>A forwarding header alone proves nothing, since anyone can send it. It is evidence of a proxy
 * if it comes from a private address, or if most requests have it. Many requests from one address
 * are evidence if the address is private, or a trusted proxy's own.
 *
 * <p>Examines the first {@value #ROUND} requests, and then one in {@value #ONE_IN}. Safe for
 * concurrent use.
 */
final class SharedAddressWarning {
  /** The number of examined requests that are compared; most of them must have the evidence. */
  static final int ROUND = 1_000;

  static final int ONE_IN = 64;

  private static final Logger LOG = System.getLogger("io.weir.internal.key");

  private static final ForwardingHeader[] HEADERS = ForwardingHeader.values();

  private enum Reason {
    UNTRUSTED_PROXY,
    OTHER_HEADER,
    CROWD
  }

  /** Callers that send the field themselves must not get themselves trusted. */
  private static final String ANYBODY =
      "Any caller can send this field. Only if it comes from your own proxy, which sets the field"
          + " or appends to it, add to weir.proxy.trusted: ";

  private final ForwardingHeader believed;
  private final IntSupplier random;
  private final Map<Key, Integer> byKey = new HashMap<>();
  private final Set<Reason> said = EnumSet.noneOf(Reason.class);
  private volatile boolean samples;
  private int looks;
  private int unbelieved;

  SharedAddressWarning(ForwardingHeader believed) {
    this(believed, () -> ThreadLocalRandom.current().nextInt());
  }

  SharedAddressWarning(ForwardingHeader believed, IntSupplier random) {
    this.believed = believed;
    this.random = random;
  }

  boolean isDue() {
    return !samples || (random.getAsInt() & ONE_IN - 1) == 0;
  }

  /** Examines a request that counts by its peer's address. */
  void examine(RequestInfo request, String peer, boolean trusted, Key key) {
    boolean local = isLocal(peer);
    ForwardingHeader unread = trusted && sends(request, believed) ? null : unread(request, trusted);
    synchronized (this) {
      next();
      if (unread != null) {
        judge(unread, peer, trusted, local);
      }
      if (isMost(byKey.merge(key, 1, Integer::sum)) && (local || trusted)) {
        say(Reason.CROWD, crowd(peer, trusted));
      }
    }
  }

  /** Counts a request whose address trusted proxies report, which is evidence of nothing. */
  synchronized void skip() {
    next();
  }

  private void next() {
    if (looks++ == ROUND) {
      samples = true;
      looks = 1;
      unbelieved = 0;
      byKey.clear();
    }
  }

  private void judge(ForwardingHeader header, String peer, boolean trusted, boolean local) {
    if (trusted) {
      say(Reason.OTHER_HEADER, otherHeader(header));
    } else if (isMost(++unbelieved) || local) {
      say(Reason.UNTRUSTED_PROXY, untrusted(header, peer));
    }
  }

  private static boolean isMost(int requests) {
    return requests > ROUND / 2;
  }

  /**
   * Finds a forwarding header that is ignored, because of its sender or its name; null if there is
   * none. Without a stream: a sample is so rare that it runs uncompiled for long.
   */
  private @Nullable ForwardingHeader unread(RequestInfo request, boolean trusted) {
    for (ForwardingHeader each : HEADERS) {
      if ((!trusted || each != believed) && sends(request, each)) {
        return each;
      }
    }
    return null;
  }

  private static boolean sends(RequestInfo request, ForwardingHeader header) {
    return !header.values(request).isEmpty();
  }

  /** Treats a text that isn't an address as a socket of this host. */
  static boolean isLocal(String peer) {
    if (CanonicalIpv4Check.isAddress(peer)) {
      return CanonicalIpv4Check.isLocal(peer);
    }
    Optional<IPAddress> address = IpAddressParser.node(peer);
    return address.isEmpty() || address.get().isLoopback() || address.get().isLocal();
  }

  private void say(Reason reason, String warning) {
    if (said.add(reason)) {
      LOG.log(Level.WARNING, warning);
    }
  }

  private static String untrusted(ForwardingHeader header, String peer) {
    if (peer.isEmpty()) {
      return "Requests come with "
          + header.field()
          + " through "
          + named(peer)
          + ", which isn't trusted, so all behind it count as one caller. "
          + ANYBODY
          + TrustedProxies.SOCKET;
    }
    return "Requests come with "
        + header.field()
        + " from addresses that aren't trusted ("
        + peer
        + "), so all behind such an address count as one caller. "
        + ANYBODY
        + "that address";
  }

  private String otherHeader(ForwardingHeader header) {
    return "Requests through a trusted proxy have "
        + header.field()
        + " but not "
        + believed.field()
        + ", so all behind it count as one caller. Configure the proxy to write "
        + believed.field()
        + ". weir.proxy.header must name a header that the proxy writes: one that it only passes on"
        + " lets clients choose their address";
  }

  private String crowd(String peer, boolean trusted) {
    return "Most requests counted by address come from "
        + named(peer)
        + (trusted ? ", a trusted proxy's own" : ", which isn't public")
        + ". If callers are behind it, configure it to send "
        + believed.field()
        + (trusted ? "" : ", and add it to weir.proxy.trusted")
        + (!trusted && peer.isEmpty() ? ": " + TrustedProxies.SOCKET : "");
  }

  private static String named(String peer) {
    return peer.isEmpty() ? "a Unix-domain socket" : peer;
  }
}
