package io.weir.internal.access;

import io.weir.internal.value.AddressBits;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Bounds the addresses of one version that entries may deny together: almost all of them are as
 * much a mistake as {@code /0}.
 */
enum DenialBound {
  IPV4("IPv4", 24),
  IPV6("IPv6", 48);

  private final String version;

  /** The prefix of the smallest block that may be left, as networks are given to one owner. */
  private final int leastLeft;

  DenialBound(String version, int leastLeft) {
    this.version = version;
    this.leastLeft = leastLeft;
  }

  /** Returns whether a block has addresses of this version. */
  boolean concerns(AddressBits block) {
    return block.isIPv4() == (this == IPV4);
  }

  /** Returns the rule that blocks of any versions break together; empty if they are fine. */
  Optional<String> mistake(List<AddressBits> denied) {
    List<AddressBits> ours = denied.stream().filter(this::concerns).toList();
    double most = 1 - Math.scalb(1.0, -leastLeft);
    // As if none were within another: almost always little enough.
    double upperBound = ours.stream().mapToDouble(AddressBits::share).sum();
    return upperBound <= most || covered(ours) <= most
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "together with all others that deny must leave at least a /%d of %s addresses",
                leastLeft,
                version));
  }

  /** Returns the part of all addresses that blocks cover, 0 to 1. */
  private static double covered(List<AddressBits> blocks) {
    List<AddressBits> sorted = blocks.stream().sorted().toList();
    AddressBits outer = sorted.get(0);
    double sum = outer.share();
    for (AddressBits each : sorted) {
      if (!outer.isPrefixOf(each)) {
        outer = each;
        sum += each.share();
      }
    }
    return sum;
  }
}
