package io.weir.internal.key;

import inet.ipaddr.IPAddress;
import io.weir.internal.settings.Settings;
import java.util.Arrays;
import java.util.List;

/**
 * The proxies that are trusted to report addresses: {@code weir.proxy.trusted}. None unless it is
 * set, not even loopback; {@value #SOCKET} stands for peers connected without an address.
 *
 * <p>Immutable.
 */
final class TrustedProxies {
  private static final String SETTING = "weir.proxy.trusted";

  /** The entry for Unix-domain sockets, as nginx writes it. */
  static final String SOCKET = "unix:";

  private final List<IPAddress> blocks;
  private final boolean socket;

  TrustedProxies(Settings settings) {
    String all = settings.text(SETTING, "");
    List<String> entries =
        all.isBlank() ? List.of() : Arrays.stream(all.split(",", -1)).map(String::strip).toList();
    this.socket = entries.contains(SOCKET);
    this.blocks =
        entries.stream()
            .filter(entry -> !entry.equals(SOCKET))
            .map(entry -> block(settings, entry))
            .toList();
  }

  /** Whether no address is trusted. */
  boolean areNone() {
    return blocks.isEmpty();
  }

  boolean areThoseOf(TrustedProxies other) {
    return blocks.equals(other.blocks) && socket == other.socket;
  }

  /** Whether a peer without an address is trusted. */
  boolean includeSocket() {
    return socket;
  }

  boolean include(IPAddress address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  private static IPAddress block(Settings settings, String entry) {
    return AddressParser.block(entry)
        .orElseThrow(
            () ->
                settings.invalid(
                    SETTING,
                    "the entry '"
                        + entry
                        + "' is neither an address nor a CIDR block such as 10.0.0.0/8, nor "
                        + SOCKET));
  }
}
