package io.weir.key;

import inet.ipaddr.IPAddress;
import io.weir.settings.Settings;
import java.util.Arrays;
import java.util.List;

/**
 * The peers whose word about others counts: {@code weir.proxy.trusted}. Nobody unless it is set,
 * not even loopback.
 *
 * <p>Immutable.
 */
final class TrustedProxies {
  private static final String SETTING = "weir.proxy.trusted";

  private final List<IPAddress> blocks;

  TrustedProxies(Settings settings) {
    String all = settings.text(SETTING, "");
    this.blocks =
        all.isBlank()
            ? List.of()
            : Arrays.stream(all.split(",", -1)).map(entry -> block(settings, entry)).toList();
  }

  boolean areNone() {
    return blocks.isEmpty();
  }

  boolean areThoseOf(TrustedProxies other) {
    return blocks.equals(other.blocks);
  }

  boolean include(IPAddress address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  private static IPAddress block(Settings settings, String entry) {
    return AddressText.block(entry.strip())
        .orElseThrow(
            () ->
                settings.invalid(
                    SETTING,
                    "the entry '"
                        + entry.strip()
                        + "' is neither an address nor a CIDR block such as 10.0.0.0/8"));
  }
}
