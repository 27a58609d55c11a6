package io.weir.internal.key;

import inet.ipaddr.IPAddress;
import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.AddressBits;
import io.weir.internal.value.IpAddressParser;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Determines the address that identifies the caller: the peer's or, if the peer is a trusted proxy,
 * the one that the proxies report.
 *
 * <p>{@code weir.proxy.trusted} lists the trusted proxies, addresses and CIDR blocks separated by
 * commas; none unless it is set. Its entry {@code unix:} is a peer whose address is blank, as
 * containers report it for a Unix-domain socket. {@code weir.proxy.header} names the one header
 * that is read, {@code X-Forwarded-For} (the default) or {@code Forwarded}: from the right, past
 * trusted hops only. An unreadable hop ends the walk: everything left of it is ignored, and the
 * last readable address is the caller. So does the limit of 64 hops and 8,192 characters. If all
 * hops are trusted, the leftmost one is the caller.
 *
 * <p>All spellings of an address lead to one text. Of IPv4 the whole address counts, even if IPv6
 * carries it; of IPv6 its first {@code weir.ipv6.prefix} bits, 64 unless set.
 *
 * <p>Safe for concurrent use.
 */
public final class ClientAddress {
  private static final System.Logger LOG = System.getLogger("io.weir");

  /**
   * The number of cached addresses is 4,096, as a power of two: parsing costs more than the rest of
   * a decision.
   */
  private static final int REMEMBERED_BITS = 12;

  /** The longest text that is cached; a longer one isn't an address. */
  private static final int LONGEST_REMEMBERED = 64;

  private static final String NO_PEER =
      "A request counts by address, but its adapter can't read the peer's address: all such"
          + " requests share one bucket. Pass an io.weir.spi.PeerAddress to Weir.builder(), or"
          + " list one for"
          + " ServiceLoader in META-INF/services/io.weir.spi.PeerAddress (logged once)";

  private static final int IPV6_BITS = 128;
  private static final int USUAL_PREFIX = 64;

  private final AtomicBoolean isInForce = new AtomicBoolean();
  private final TrustedProxies trusted;
  private final ForwardingHeader header;
  private final int prefix;
  private final SharedAddressWarning watch;
  private final MissingInputWarning absence = new MissingInputWarning(1, () -> NO_PEER);
  private final Caller socket;
  private final AtomicReferenceArray<Caller> known =
      new AtomicReferenceArray<>(1 << REMEMBERED_BITS);

  /**
   * Reads the settings.
   *
   * @throws InvalidSettingException if one of the three is malformed
   */
  public ClientAddress(SettingsSnapshot settings) {
    this.trusted = new TrustedProxies(settings);
    this.header = ForwardingHeader.of(settings);
    this.prefix = (int) settings.number("weir.ipv6.prefix", USUAL_PREFIX, 1, IPV6_BITS);
    this.watch = new SharedAddressWarning(header);
    this.socket = Caller.unreadable("", trusted.includeSocket());
  }

  /**
   * Returns whether another one has the same settings, so that this one and its cache can replace
   * it.
   */
  public boolean readsAs(ClientAddress other) {
    return prefix == other.prefix && header == other.header && trusted.areThoseOf(other.trusted);
  }

  /** Logs oddities of the settings, the first time. */
  public void takeEffect() {
    if (isInForce.compareAndSet(false, true)) {
      trusted.warnings().forEach(each -> LOG.log(System.Logger.Level.WARNING, each));
    }
  }

  /**
   * Returns the caller's address.
   *
   * @return the canonical spelling of the address or, for IPv6, of the block that identifies a
   *     caller; a marked text if the peer's isn't an address (a Unix-domain socket); empty only if
   *     there is no peer
   */
  public Optional<String> of(RequestInfo request) {
    return request.peer().map(peer -> walk(peer(peer), request).canonical);
  }

  /**
   * Returns the whole address, whatever part of it identifies the caller.
   *
   * @return null if there is no peer, or its text isn't an address
   */
  public @Nullable AddressBits whole(RequestInfo request) {
    Optional<String> peer = request.peer();
    return peer.isEmpty() ? null : walk(peer(peer.get()), request).whole();
  }

  /**
   * Returns whether many callers may have the address by which a request is counted: it is that of
   * a proxy, trusted or not. A private address that forwards for others is taken for one, and a
   * public peer that does unless {@code weir.proxy.trusted} is set, even to nothing.
   */
  public boolean isPerhapsShared(RequestInfo request) {
    Optional<String> text = request.peer();
    if (text.isEmpty()) {
      return true;
    }
    Caller peer = peer(text.get());
    if (peer.trusted) {
      ForwardedHops hops = ForwardedHops.of(request, header);
      Caller caller = walk(peer, hops);
      return caller.trusted || SharedAddressWarning.isLocal(caller.text) && hops.next().isPresent();
    }
    return ForwardingHeader.isAnyIn(request)
        && (!trusted.areSet() || SharedAddressWarning.isLocal(peer.text));
  }

  /** Returns whether any trusted proxy has an address of a block. */
  public boolean isTrustedWithin(AddressBits block) {
    return trusted.overlap(block);
  }

  /** Returns the key of the caller's address; {@link Key#nobody()} if there is no peer. */
  public Key key(RequestInfo request) {
    Optional<String> text = request.peer();
    if (text.isEmpty()) {
      if (!request.method().isEmpty()) { // outside of HTTP nobody expects a peer
        absence.note(false);
      }
      return Key.nobody();
    }
    Caller peer = peer(text.get());
    Caller caller = walk(peer, request);
    if (watch.isDue()) {
      watch(request, peer, caller);
    }
    return caller.key;
  }

  /**
   * Treats only a blank text as a socket: another one may come from a header that a filter of the
   * container has read.
   */
  private Caller peer(String text) {
    return text.isBlank() ? socket : caller(text);
  }

  private void watch(RequestInfo request, Caller peer, Caller caller) {
    // The text determines all other fields. Comparing records would make Java generate code at run
    // time.
    if (peer.text.equals(caller.text)) {
      watch.examine(request, peer.text, peer.trusted, caller.key);
    } else {
      watch.skip();
    }
  }

  private Caller walk(Caller peer, RequestInfo request) {
    return peer.trusted ? walk(peer, ForwardedHops.of(request, header)) : peer;
  }

  private Caller walk(Caller peer, ForwardedHops hops) {
    Caller caller = peer;
    while (caller.trusted) {
      Optional<Caller> next = hops.next().map(this::caller).filter(each -> each.readable);
      if (next.isEmpty()) {
        return caller;
      }
      caller = next.get();
    }
    return caller;
  }

  /**
   * Looks a text up. Each has two slots, so that a proxy and a caller whose hashes collide don't
   * evict each other. Entries are immutable, and a lost race only parses again, so no lock is
   * needed.
   */
  private Caller caller(String text) {
    if (text.length() > LONGEST_REMEMBERED) {
      return read(text);
    }
    // Addresses of one network differ in a few bits of their hash: spread them over all slots.
    int slot = text.hashCode() * 0x9E3779B9 >>> Integer.SIZE - REMEMBERED_BITS;
    Caller latest = known.getAcquire(slot);
    if (latest != null && latest.text.equals(text)) {
      return latest;
    }
    Caller earlier = known.getAcquire(slot ^ 1);
    if (earlier != null && earlier.text.equals(text)) {
      return earlier;
    }
    if (latest != null) {
      known.setRelease(slot ^ 1, latest);
    }
    Caller caller = read(text);
    known.setRelease(slot, caller);
    return caller;
  }

  private Caller read(String text) {
    if (trusted.areNone() && CanonicalIpv4Check.isAddress(text)) {
      return Caller.at(text, text, false);
    }
    return IpAddressParser.node(text)
        .map(address -> Caller.at(text, canonical(address), trusted.include(address)))
        .orElseGet(() -> Caller.unreadable(text, false));
  }

  private String canonical(IPAddress address) {
    return address.isIPv6()
        ? address.toPrefixBlock(prefix).toCanonicalString()
        : address.toCanonicalString();
  }

  /** A parsed text. Safe for concurrent use. */
  private static final class Caller {
    private final String text;
    private final String canonical;
    private final Key key;
    private final boolean readable;
    private final boolean trusted;

    /** Null until it is asked for, which most applications never do. */
    private volatile @Nullable AddressBits whole;

    private Caller(String text, String canonical, boolean readable, boolean trusted) {
      this.text = text;
      this.canonical = canonical;
      this.key = Key.address(canonical);
      this.readable = readable;
      this.trusted = trusted;
    }

    static Caller at(String text, String canonical, boolean trusted) {
      return new Caller(text, canonical, true, trusted);
    }

    /** Marks the text, so that it can't look like the canonical text of a block. */
    static Caller unreadable(String text, boolean trusted) {
      return new Caller(text, "peer " + text, false, trusted);
    }

    @Nullable AddressBits whole() {
      AddressBits known = whole;
      if (known == null && readable) {
        known = AddressBits.parseNode(text).orElse(null);
        whole = known;
      }
      return known;
    }
  }
}
