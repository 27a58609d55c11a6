package io.weir.internal.key;

import io.weir.attack.Cases;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;

/** Addresses as bytes, 4 or 16 of them, and the many ways in which one is written. */
final class Addresses {
  private Addresses() {}

  /** Any caller's address, except those of our proxies. */
  static byte[] any(Random random) {
    return random.nextBoolean() ? ipv4(random) : ipv6(random);
  }

  /** Drawn from so few that most repeat, and differ from others in a bit or two. */
  static byte[] near(Random random) {
    byte[] address = random.nextBoolean() ? new byte[] {(byte) 192, 0, 2, 1} : new byte[16];
    if (address.length == 16) {
      address[0] = 0x20;
    }
    for (int bits = random.nextInt(3); bits > 0; bits--) {
      int bit = 4 + random.nextInt(8 * address.length - 4);
      address[bit / 8] ^= (byte) (0x80 >> bit % 8);
    }
    return address;
  }

  private static byte[] ipv4(Random random) {
    byte[] address = new byte[4];
    random.nextBytes(address);
    address[0] = (byte) (11 + random.nextInt(200));
    return address;
  }

  /** Global unicast, so that it carries no other address, with zeros here and there. */
  static byte[] ipv6(Random random) {
    byte[] address = new byte[16];
    random.nextBytes(address);
    for (int zeros = random.nextInt(7); zeros > 0; zeros--) {
      int group = 1 + random.nextInt(7);
      address[2 * group] = 0;
      address[2 * group + 1] = 0;
    }
    address[0] = 0x20;
    return address;
  }

  /** Another address with the same first bits. */
  static byte[] rotated(Random random, byte[] address, int prefix) {
    byte[] other = address.clone();
    for (int bit = prefix; bit < 128; bit++) {
      if (random.nextBoolean()) {
        other[bit / 8] ^= (byte) (0x80 >> bit % 8);
      }
    }
    return other;
  }

  /** Identifies a caller by the first bits of its address. */
  static String caller(byte[] address, int prefix) {
    int bytes = address.length == 4 ? 4 : prefix / 8;
    return HexFormat.of().formatHex(Arrays.copyOf(address, bytes));
  }

  /** As the platform writes it. */
  static String plain(byte[] address) {
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Spells the address in one of the ways of peers, proxies and standards. */
  static String spelled(Random random, byte[] address) {
    String text = address.length == 4 ? spelled4(random, address) : spelled6(random, address);
    boolean colons = text.indexOf(':') >= 0;
    String port = Cases.one(random, "", "", ":" + random.nextInt(65_536), ":_obf");
    if (!colons) {
      return text + port;
    }
    String zone = Cases.one(random, "", "", "%eth0", "%1", "%25en0");
    return random.nextBoolean() ? "[" + text + zone + "]" + port : text + zone;
  }

  private static String spelled4(Random random, byte[] address) {
    String dotted = plain(address);
    String hex =
        Integer.toHexString((address[0] & 255) << 8 | address[1] & 255)
            + ':'
            + Integer.toHexString((address[2] & 255) << 8 | address[3] & 255);
    String within = Cases.one(random, dotted, hex);
    return switch (random.nextInt(5)) {
      case 0 -> cased(random, "::ffff:" + within);
      case 1 -> cased(random, "0:0:0:0:0:ffff:" + within);
      case 2 -> cased(random, "64:ff9b::" + within);
      default -> dotted;
    };
  }

  private static String spelled6(Random random, byte[] address) {
    String[] groups = new String[8];
    for (int i = 0; i < 8; i++) {
      int group = (address[2 * i] & 255) << 8 | address[2 * i + 1] & 255;
      String text = Integer.toHexString(group);
      groups[i] =
          random.nextBoolean() ? "0".repeat(random.nextInt(5 - text.length())) + text : text;
    }
    int from = random.nextInt(8);
    int to = from;
    while (to < 8 && groups[to].matches("0+") && random.nextInt(6) > 0) {
      to++;
    }
    String[] tail = Arrays.copyOfRange(groups, to, 8);
    String end = String.join(":", tail);
    if (tail.length >= 2 && random.nextInt(3) == 0) {
      String head = String.join(":", Arrays.copyOf(tail, tail.length - 2));
      String dotted = plain(Arrays.copyOfRange(address, 12, 16));
      end = head.isEmpty() ? dotted : head + ":" + dotted;
    }
    String begin = String.join(":", Arrays.copyOf(groups, from));
    boolean shortened = to > from;
    String between = shortened ? "::" : from == 0 ? "" : ":";
    return cased(random, begin + between + end);
  }

  private static String cased(Random random, String text) {
    return random.nextBoolean() ? text.toUpperCase(Locale.ROOT) : text;
  }
}
