package io.weir.internal.value;

import inet.ipaddr.AddressStringException;
import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.IncompatibleAddressException;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.Optional;

/**
 * Parses addresses and CIDR blocks in any spelling. An IPv6 address that only carries an IPv4
 * address ({@code ::ffff:0:0/96}, NAT64's {@code 64:ff9b::/96}) is parsed as that IPv4 address.
 *
 * <p>Rejects ambiguous spellings: octal, hexadecimal or shortened IPv4 forms, wildcards, ranges.
 */
public final class IpAddressParser {
  private static final IPAddressStringParameters ADDRESS = parameters(false);
  private static final IPAddressStringParameters BLOCK = parameters(true);

  /** The length of the longest address: eight groups, the last two of them in IPv4's notation. */
  private static final int MAX_LENGTH = "0000:0000:0000:0000:0000:0000:255.255.255.255".length();

  private static final int CARRIER_BITS = 96;

  private IpAddressParser() {}

  /**
   * Parses an address as a peer or a header has it: possibly with a zone, in brackets, with a port.
   */
  public static Optional<IPAddress> node(String text) {
    if (text.startsWith("[")) {
      int close = text.indexOf(']');
      return close > 0 && isPort(text.substring(close + 1))
          ? zoned(text.substring(1, close)).filter(unused -> text.lastIndexOf(':', close) > 0)
          : Optional.empty();
    }
    int colon = text.indexOf(':');
    boolean onlyColon = colon >= 0 && colon == text.lastIndexOf(':');
    if (onlyColon) {
      return isPort(text.substring(colon)) ? plain(text.substring(0, colon)) : Optional.empty();
    }
    return zoned(text);
  }

  /** Parses a CIDR block or a single address. */
  public static Optional<IPAddress> block(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    return isSpelledLikeAnAddress(address)
        ? parse(text, BLOCK).map(IpAddressParser::carriedBlock)
        : Optional.empty();
  }

  /** Returns the one spelling of a block of IPv6, or of an address if the prefix is all of it. */
  static String canonical(byte[] address, int prefix) {
    return prefix == IPv6Address.BIT_COUNT
        ? new IPv6Address(address).toCanonicalString()
        : new IPv6Address(address, prefix).toCanonicalString();
  }

  /** Drops the zone, which names an interface of this host, not the caller. */
  private static Optional<IPAddress> zoned(String text) {
    int percent = text.indexOf('%');
    if (percent < 0) {
      return plain(text);
    }
    boolean zone = percent < text.length() - 1 && isName(text, percent + 1);
    return zone && text.lastIndexOf(':', percent) >= 0
        ? plain(text.substring(0, percent))
        : Optional.empty();
  }

  private static Optional<IPAddress> plain(String text) {
    return isSpelledLikeAnAddress(text)
        ? parse(text, ADDRESS).map(IpAddressParser::carried)
        : Optional.empty();
  }

  private static Optional<IPAddress> parse(String text, IPAddressStringParameters parameters) {
    try {
      return Optional.ofNullable(new IPAddressString(text, parameters).toAddress());
    } catch (AddressStringException | IncompatibleAddressException unreadable) {
      return Optional.empty();
    }
  }

  private static IPAddress carried(IPAddress address) {
    return carriesIPv4(address) ? address.toIPv6().getEmbeddedIPv4Address() : address;
  }

  private static IPAddress carriedBlock(IPAddress address) {
    Integer length = address.getNetworkPrefixLength();
    if (length == null) {
      return carried(address);
    }
    IPAddress first = address.toPrefixBlock().getLower().withoutPrefixLength();
    return length >= CARRIER_BITS && carriesIPv4(first)
        ? carried(first).toPrefixBlock(length - CARRIER_BITS)
        : address.toPrefixBlock();
  }

  private static boolean carriesIPv4(IPAddress address) {
    return address.isIPv6()
        && (address.toIPv6().isIPv4Mapped() || address.toIPv6().isWellKnownIPv4Translatable());
  }

  /** Rejects blanks and control characters around an address, which the library would skip. */
  private static boolean isSpelledLikeAnAddress(String text) {
    return text.length() <= MAX_LENGTH
        && text.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0);
  }

  /**
   * Accepts nothing, {@code :4711}, or an obfuscated port as RFC 7239 allows it, {@code :_name}.
   */
  private static boolean isPort(String text) {
    if (text.isEmpty()) {
      return true;
    }
    boolean obfuscated = text.startsWith(":_") && text.length() > 2 && isName(text, 2);
    boolean number = text.length() > 1 && text.length() <= 6 && isNumber(text, 1);
    return text.charAt(0) == ':' && (obfuscated || number);
  }

  private static boolean isNumber(String text, int from) {
    return text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isName(String text, int from) {
    return text.chars()
        .skip(from)
        .allMatch(c -> c < 0x80 && (Character.isLetterOrDigit(c) || "._-~%".indexOf(c) >= 0));
  }

  private static IPAddressStringParameters parameters(boolean blocks) {
    IPAddressStringParameters.Builder builder =
        new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowSingleSegment(false)
            .allowAll(false)
            .allowPrefix(blocks)
            .allowPrefixOnly(false)
            .allowMask(false)
            .allowWildcardedSeparator(false)
            .setRangeOptions(RangeParameters.NO_RANGE)
            .allow_inet_aton(false);
    builder.getIPv4AddressParametersBuilder().allowLeadingZeros(false).allowBinary(false);
    builder
        .getIPv6AddressParametersBuilder()
        .allowBase85(false)
        .allowZone(false)
        .allow_mixed_inet_aton(false)
        .allowUnlimitedLeadingZeros(false)
        .allowBinary(false)
        .getEmbeddedIPv4AddressParametersBuilder()
        .allowLeadingZeros(false)
        .allowBinary(false);
    return builder.toParams();
  }
}
