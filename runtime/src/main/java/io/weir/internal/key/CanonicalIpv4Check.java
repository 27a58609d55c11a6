package io.weir.internal.key;

/**
 * Recognizes IPv4 addresses in their canonical spelling: four numbers of 0 to 255 without leading
 * zeros, separated by dots.
 *
 * <p>Most peers are written so. This check takes a few nanoseconds, while the library for all other
 * spellings has 160 classes, whose loading is a noticeable part of the first request.
 */
final class CanonicalIpv4Check {
  private CanonicalIpv4Check() {}

  static boolean isAddress(String text) {
    int numbers = 0;
    for (int from = 0; from <= text.length() && numbers < 5; numbers++) {
      int dot = text.indexOf('.', from);
      int to = dot < 0 ? text.length() : dot;
      if (!isNumber(text, from, to)) {
        return false;
      }
      from = to + 1;
    }
    return numbers == 4;
  }

  /** Returns whether an address is loopback, private, link-local or unspecified. */
  static boolean isLocal(String address) {
    return address.startsWith("127.")
        || address.startsWith("10.")
        || address.startsWith("192.168.")
        || address.startsWith("169.254.")
        || isOf172(address)
        || address.equals("0.0.0.0");
  }

  /** Returns whether an address is in 172.16.0.0/12, whose second numbers are 16 to 31. */
  private static boolean isOf172(String address) {
    return address.startsWith("172.")
        && address.charAt(6) == '.'
        && address.compareTo("172.16.") >= 0
        && address.compareTo("172.32.") < 0;
  }

  private static boolean isNumber(String text, int from, int to) {
    int value = 0;
    for (int at = from; at < to; at++) {
      char digit = text.charAt(at);
      if (digit < '0' || digit > '9' || at - from == 3) {
        return false;
      }
      value = value * 10 + digit - '0';
    }
    boolean leadingZero = to - from > 1 && text.charAt(from) == '0';
    return to > from && value <= 255 && !leadingZero;
  }
}
