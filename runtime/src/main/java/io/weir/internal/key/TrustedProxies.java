package io.weir.internal.key;

import inet.ipaddr.IPAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.AddressBits;
import io.weir.internal.value.IpAddressParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides whether a peer is a proxy that is trusted to report addresses: {@code
 * weir.proxy.trusted}. None is unless it is set, not even loopback; {@value #SOCKET} stands for
 * peers without an address.
 *
 * <p>Immutable.
 */
final class TrustedProxies {
  private static final String SETTING = "weir.proxy.trusted";

  /** The prefix lengths of the largest networks that have one owner. */
  private static final int WIDEST_V4 = 8;

  private static final int WIDEST_V6 = 16;

  /** The entry for Unix-domain sockets, as nginx writes it. */
  static final String SOCKET = "unix:";

  private final List<IPAddress> blocks;
  private final boolean socket;
  private final boolean isSet;
  private final List<String> wideEntries = new ArrayList<>();

  TrustedProxies(SettingsSnapshot settings) {
    String all = settings.text(SETTING, "");
    List<String> entries =
        all.isBlank() ? List.of() : Arrays.stream(all.split(",", -1)).map(String::strip).toList();
    this.isSet = settings.find(SETTING).isPresent();
    this.socket = entries.contains(SOCKET);
    this.blocks =
        entries.stream()
            .filter(entry -> !entry.equals(SOCKET))
            .map(entry -> block(settings, entry))
            .toList();
  }

  /** Warns of ranges that are larger than most people intend. */
  List<String> warnings() {
    return wideEntries.stream()
        .map(
            entry ->
                SETTING
                    + ": the entry '"
                    + entry
                    + "' trusts very many addresses: callers with one of them can choose the"
                    + " address that they are counted by. List only the addresses of the proxies,"
                    + " or"
                    + " their network")
        .toList();
  }

  boolean areNone() {
    return blocks.isEmpty();
  }

  /** Returns whether the setting says which they are, even if none. */
  boolean areSet() {
    return isSet;
  }

  boolean areThoseOf(TrustedProxies other) {
    return blocks.equals(other.blocks) && socket == other.socket && isSet == other.isSet;
  }

  /** Returns whether a peer without an address is trusted. */
  boolean includeSocket() {
    return socket;
  }

  boolean include(IPAddress address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  /** Returns whether any address of a block is trusted. */
  boolean overlap(AddressBits block) {
    return !areNone() && blocks.stream().anyMatch(each -> AddressBits.of(each).overlaps(block));
  }

  private IPAddress block(SettingsSnapshot settings, String entry) {
    IPAddress block =
        IpAddressParser.block(entry)
            .orElseThrow(
                () ->
                    settings.invalid(
                        SETTING,
                        "the entry '"
                            + entry
                            + "' must be an address, a CIDR block such as 10.0.0.0/8, or "
                            + SOCKET));
    Integer prefix = block.getPrefixLength();
    if (prefix != null && prefix == 0) {
      throw settings.invalid(
          SETTING,
          "the entry '"
              + entry
              + "' trusts all addresses, so callers could choose the address that they are counted"
              + " by. List only the addresses of the proxies, or their network, such as"
              + " 10.0.0.0/8");
    }
    if (prefix != null && prefix < (block.isIPv4() ? WIDEST_V4 : WIDEST_V6)) {
      wideEntries.add(entry);
    }
    return block;
  }
}
