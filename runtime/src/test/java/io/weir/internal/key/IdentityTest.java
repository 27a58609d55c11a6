package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.By;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.seeds.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two identities never share a key, and one identity never has two. Identities are drawn near to
 * each other, spelled by a writer that shares no code with the reader, and sent in any place that a
 * caller or a proxy could choose.
 */
class IdentityTest {
  private static final int CASES = Seeds.times(10_000);
  private static final long SEED = Seeds.first();

  /** An identity: an IPv4 address, the upper half of an IPv6 address, or a text. */
  private record Identity(char kind, long number, String text) {}

  private final Random random = new Random(SEED);
  private final ClientAddress byXForwardedFor = address("X-Forwarded-For");
  private final ClientAddress byForwarded = address("Forwarded");

  @Test
  void keysAreEqualExactlyWhereIdentitiesAre() {
    int same = 0;
    for (int run = 0; run < CASES; run++) {
      List<Identity> left = tuple();
      List<Identity> right = random.nextInt(3) == 0 ? new ArrayList<>(left) : near(left);
      same += left.equals(right) ? 1 : 0;
      StringBuilder how = new StringBuilder();
      boolean keysEqual = key(left, how).equals(key(right, how));
      assertEquals(left.equals(right), keysEqual, "seed " + SEED + ", case " + run + ": " + how);
    }
    assertTrue(same > CASES / 10 && same < CASES * 9 / 10, same + " of the same identity");
  }

  /** One to three parts; a part may be an address in any of the three ways it gets there. */
  private List<Identity> tuple() {
    List<Identity> parts = new ArrayList<>();
    for (int part = random.nextInt(3); part >= 0; part--) {
      parts.add(identity());
    }
    return onePeer(parts);
  }

  private List<Identity> near(List<Identity> tuple) {
    List<Identity> parts = new ArrayList<>(tuple);
    parts.set(random.nextInt(parts.size()), identity());
    return onePeer(parts);
  }

  /** A request has one address, one user and one KEY at most: later parts of a kind repeat it. */
  private List<Identity> onePeer(List<Identity> parts) {
    List<Identity> result = new ArrayList<>();
    for (Identity part : parts) {
      result.add(result.stream().filter(each -> seat(each) == seat(part)).findFirst().orElse(part));
    }
    return result;
  }

  private static char seat(Identity identity) {
    return identity.kind() == '6' ? '4' : identity.kind();
  }

  private Identity identity() {
    return switch (random.nextInt(4)) {
      case 0 -> new Identity('4', 0xC6336400L + (1L << random.nextInt(24)) % 0x300, "");
      case 1 -> new Identity('6', 0x20010db800000000L + (1L << random.nextInt(32)), "");
      case 2 -> new Identity('u', 0, text());
      default -> new Identity('k', 0, text());
    };
  }

  private String text() {
    List<String> letters = List.of("a", "A", "\u00e4", "a\u0308", ":", "{", "}", "\n", "1", "9");
    StringBuilder text = new StringBuilder("x");
    for (int length = random.nextInt(3); length > 0; length--) {
      text.append(letters.get(random.nextInt(letters.size())));
    }
    return random.nextInt(8) == 0 ? "198.51.100.1" : text.toString();
  }

  private Key key(List<Identity> parts, StringBuilder how) {
    boolean forwarded = random.nextBoolean();
    Asked asked = Asked.from("203.0.113.77");
    List<Key> keys = new ArrayList<>();
    for (Identity part : parts) {
      seat(part, asked, forwarded, how);
    }
    ClientAddress addresses = forwarded ? byForwarded : byXForwardedFor;
    for (Identity part : parts) {
      keys.add(reader(part, addresses).read(asked));
    }
    return Key.tuple(keys);
  }

  private void seat(Identity part, Asked asked, boolean forwarded, StringBuilder how) {
    switch (part.kind()) {
      case 'u' -> asked.set("user", part.text());
      case 'k' -> asked.set("query k", part.text());
      default -> {
        if (asked.headers("X-Forwarded-For").isEmpty() && asked.headers("Forwarded").isEmpty()) {
          address(spelled(part), asked, forwarded, how);
        }
      }
    }
    how.append(part).append(' ');
  }

  private KeyReader reader(Identity part, ClientAddress addresses) {
    boolean fallsBack = random.nextBoolean();
    return switch (part.kind()) {
      case 'u' -> KeyReader.of("any", List.of(By.USER), List.of(), Map.of(), () -> addresses);
      case 'k' ->
          KeyReader.of("any", List.of(By.KEY), List.of("query:k"), Map.of(), () -> addresses);
      default ->
          fallsBack
              ? KeyReader.of(
                  "any", List.of(By.KEY), List.of("cookie:none"), Map.of(), () -> addresses)
              : KeyReader.of("any", List.of(By.IP), List.of(), Map.of(), () -> addresses);
    };
  }

  private void address(String spelled, Asked asked, boolean forwarded, StringBuilder how) {
    how.append('[').append(spelled).append(forwarded ? "] Forwarded " : "] ");
    if (random.nextInt(3) == 0) {
      asked.set("peer", spelled);
      asked.header(forwarded ? "X-Forwarded-For" : "Forwarded", "6.6.6.6", "for=6.6.6.6");
      return;
    }
    asked.set("peer", random.nextBoolean() ? "10.0.0.1" : "::ffff:10.9.9.9");
    List<String> hops =
        new ArrayList<>(List.of("6.6.6.6", "unknown", "\"", "").subList(0, random.nextInt(5)));
    hops.add(hop(spelled, forwarded));
    if (random.nextBoolean()) {
      hops.add(hop("10.1.1.1", forwarded));
    }
    String glue = random.nextBoolean() ? "," : "\n";
    asked.header(
        forwarded ? "Forwarded" : "X-Forwarded-For", String.join(glue, hops).split("\n", -1));
  }

  private String hop(String spelled, boolean forwarded) {
    String blank = " ".repeat(random.nextInt(3));
    if (!forwarded) {
      return blank + spelled + blank;
    }
    String before = random.nextBoolean() ? "proto=https;" : "";
    String after = random.nextBoolean() ? ";host=\"a,b;for=1.1.1.1\"" : "";
    return blank + before + (random.nextBoolean() ? "for" : "FoR") + "=\"" + spelled + '"' + after;
  }

  private String spelled(Identity identity) {
    String text = identity.kind() == '4' ? ipv4(identity.number()) : ipv6(identity.number());
    boolean ipv6 = text.indexOf(':') >= 0;
    text = ipv6 && random.nextInt(4) == 0 ? text + "%eth" + random.nextInt(3) : text;
    text = random.nextInt(3) == 0 ? text.toUpperCase(Locale.ROOT) : text;
    boolean port = random.nextInt(3) == 0;
    text = ipv6 && (port || random.nextBoolean()) ? "[" + text + "]" : text;
    return port ? text + ":" + random.nextInt(65_536) : text;
  }

  private String ipv4(long number) {
    String dotted =
        (number >> 24)
            + "."
            + (number >> 16 & 255)
            + "."
            + (number >> 8 & 255)
            + "."
            + (number & 255);
    String hex = Long.toHexString(number >> 16) + ":" + Long.toHexString(number & 0xFFFF);
    return switch (random.nextInt(6)) {
      case 0 -> "::ffff:" + dotted;
      case 1 -> "0:0:0:0:0:ffff:" + hex;
      case 2 -> "64:ff9b::" + hex;
      case 3 -> "0064:ff9b:0000::" + dotted;
      default -> dotted;
    };
  }

  private String ipv6(long upper) {
    StringBuilder text = new StringBuilder();
    boolean padded = random.nextBoolean();
    for (int group = 3; group >= 0; group--) {
      long value = upper >>> group * 16 & 0xFFFF;
      text.append(padded ? String.format(Locale.ROOT, "%04x", value) : Long.toHexString(value))
          .append(':');
    }
    if (random.nextInt(4) == 0) {
      return text + ":" + Integer.toHexString(1 + random.nextInt(0xFFFF));
    }
    boolean embedded = random.nextInt(4) == 0;
    for (int group = embedded ? 2 : 4; group > 0; group--) {
      text.append(Integer.toHexString(random.nextInt(0x10000))).append(':');
    }
    return embedded ? text + "192.0.2.1" : text.substring(0, text.length() - 1);
  }

  private static ClientAddress address(String header) {
    return new ClientAddress(
        SettingsSnapshot.of(
            Map.of("weir.proxy.trusted", "10.0.0.0/8", "weir.proxy.header", header)));
  }
}
