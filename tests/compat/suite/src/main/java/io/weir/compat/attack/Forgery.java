package io.weir.compat.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Forged header fields, which pretend another caller or another request. */
public final class Forgery {
  private static final String[] ADDRESS_FIELDS = {
    "X-Forwarded-For",
    "x-forwarded-for",
    "X-FORWARDED-FOR",
    "Forwarded",
    "X-Real-IP",
    "X-Client-IP",
    "True-Client-IP",
    "CF-Connecting-IP",
    "X-Cluster-Client-IP",
    "Fastly-Client-IP",
    "Client-IP",
    "X-Originating-IP",
    "X-Remote-IP",
    "X-Remote-Addr",
    "Forwarded-For",
    "X-Forwarded",
    "Via",
    "X-Original-Forwarded-For",
  };
  private static final String[] METHOD_FIELDS = {
    "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override",
  };

  private Forgery() {}

  /** Up to four lines. */
  public static List<String> fields(Random random) {
    List<String> lines = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      lines.add(Cases.one(random, ADDRESS_FIELDS) + ": " + somebody(random));
    }
    if (random.nextInt(3) == 0) {
      String method = Cases.one(random, "GET", "DELETE", "OPTIONS", "TRACE", "NONE");
      lines.add(Cases.one(random, METHOD_FIELDS) + ": " + method);
    }
    if (random.nextInt(5) == 0) {
      lines.add("X-Original-URL: /elsewhere");
      lines.add("X-Rewrite-URL: /elsewhere");
    }
    return lines;
  }

  private static String somebody(Random random) {
    String address = spelled(random, random.nextInt());
    return Cases.one(
        random,
        address,
        "for=\"" + address + "\"",
        address + ", 127.0.0.1",
        "127.0.0.1, " + address,
        "unknown",
        "\"" + address,
        "");
  }

  /** Writes an IPv4 address of 32 bits in one of the spellings that peers and proxies accept. */
  public static String spelled(Random random, int bits) {
    String dotted =
        (bits >>> 24) + "." + (bits >>> 16 & 255) + "." + (bits >>> 8 & 255) + "." + (bits & 255);
    String hex = Integer.toHexString(bits >>> 16) + ":" + Integer.toHexString(bits & 0xFFFF);
    String spelled =
        Cases.one(
            random,
            dotted,
            dotted + ":" + random.nextInt(65_536),
            "::ffff:" + dotted,
            "::FFFF:" + hex,
            "0:0:0:0:0:ffff:" + dotted,
            "64:ff9b::" + hex,
            "[::ffff:" + hex + "]:" + random.nextInt(65_536),
            "[64:FF9B::" + dotted + "]");
    return random.nextBoolean() ? spelled : spelled.toUpperCase(Locale.ROOT);
  }

  /** Returns an address of one IPv6 network of 64 bits. */
  public static String rotated(Random random, String network) {
    String address =
        network
            + ":"
            + group(random)
            + ":"
            + group(random)
            + ":"
            + group(random)
            + ":"
            + group(random);
    return Cases.one(
        random, address, address.toUpperCase(Locale.ROOT), "[" + address + "]:1", address + "%1");
  }

  private static String group(Random random) {
    return Integer.toHexString(random.nextInt(65_536));
  }
}
