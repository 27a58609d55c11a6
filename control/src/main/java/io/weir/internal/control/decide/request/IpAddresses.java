package io.weir.internal.control.decide.request;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Recognizes IP addresses, without asking a name server. */
final class IpAddresses {
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");

  /** Java never resolves a text like this as a host name. */
  private static final Pattern IPV6_LETTERS = Pattern.compile("[0-9a-fA-F:.]{2,45}");

  private IpAddresses() {}

  static boolean isAddress(String text) {
    return IPV4.matcher(text).matches() || isIpv6(text);
  }

  private static boolean isIpv6(String text) {
    if (text.indexOf(':') < 0 || !IPV6_LETTERS.matcher(text).matches()) {
      return false;
    }
    try {
      return InetAddress.getByName(text) != null;
    } catch (UnknownHostException none) {
      return false;
    }
  }
}
