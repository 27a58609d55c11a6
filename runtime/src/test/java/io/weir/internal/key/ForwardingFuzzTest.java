package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.settings.SettingsSnapshot;
import io.weir.seeds.Seeds;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whatever a forwarding header contains, the caller is the peer or an address in it; and whatever a
 * client puts in front, the caller is the address that the trusted proxy saw.
 */
class ForwardingFuzzTest {
  private static final int CASES = Seeds.times(20_000);
  private static final long SEED = Seeds.first();
  private static final String PROXY = "10.0.0.1";
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]+");
  private static final Pattern IPV4 = Pattern.compile("(\\d{1,3}\\.){3}\\d{1,3}");

  private static final List<String> SHARDS =
      List.of(
          ",",
          ", ",
          ";",
          "=",
          "\"",
          "\\",
          "\\\"",
          " ",
          "\t",
          "[",
          "]",
          ":",
          "%",
          ".",
          "_",
          "for=",
          "For=\"",
          "by=",
          "host=\"",
          "proto=http",
          "unknown",
          "_x",
          "1.2.3.4",
          "198.51.100.7:80",
          "10.1.1.1",
          "for=10.2.2.2",
          "for=\"[2001:db8::1]:80\"",
          "2001:db8:1::9",
          "::ffff:1.2.3.4",
          "::1",
          "64:ff9b::102:304",
          "fe80::1%eth0",
          "[2001:db8::2]",
          "256.1.1.1",
          "0x7f.1",
          "1.2",
          "\u0000",
          "\n",
          "\u00e9",
          "\ud83d",
          "\uff11",
          "/8",
          "*",
          "-",
          "for",
          "\"1.2.3.4\"");

  /** The prefixes of IPv6 addresses that carry an IPv4 address. */
  private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};

  private static final ClientAddress BY_FORWARDED = address("Forwarded");
  private static final ClientAddress BY_X_FORWARDED_FOR = address("X-Forwarded-For");

  private final Random random = new Random(SEED);

  @Test
  void theCallerIsThePeerOrStandsInTheHeader() {
    int found = 0;
    for (int run = 0; run < CASES; run++) {
      boolean forwarded = random.nextBoolean();
      List<String> lines = random.nextBoolean() ? junkLines() : mutatedLines(forwarded);
      String caller = caller(forwarded, lines);
      String what = "seed " + SEED + ", case " + run + ": " + lines + " is " + caller;
      assertTrue(caller.equals(PROXY) || standing(lines).contains(caller), what);
      found += caller.equals(PROXY) ? 0 : 1;
    }
    assertTrue(found > CASES / 20, found + " headers were readable");
  }

  @Test
  void whatAClientPutsInFrontChangesNothing() {
    List<String> tails =
        List.of("for=192.0.2.1", "for=192.0.2.1;host=\"a,\\\"b\\\\\";by=_p", "for=\"192.0.2.1:8\"");
    for (int run = 0; run < CASES; run++) {
      boolean forwarded = random.nextBoolean();
      String tail = forwarded ? tails.get(random.nextInt(tails.size())) : " 192.0.2.1";
      List<String> lines = new ArrayList<>(junkLines());
      if (random.nextBoolean()) {
        lines.add(tail);
      } else {
        lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ',' + tail);
      }
      if (random.nextBoolean()) {
        lines.add(forwarded ? "for=10.1.1.1;x=\"\\\"\"" : "10.1.1.1");
      }
      assertEquals("192.0.2.1", caller(forwarded, lines), () -> "seed " + SEED + ": " + lines);
    }
  }

  @Test
  void everyCharacterIsLookedAtAFewTimesAtMost() {
    for (String shard : SHARDS) {
      for (String value : List.of(shard.repeat(200_000), "\"" + shard.repeat(3_000) + "\"")) {
        for (ForwardingHeader header : ForwardingHeader.values()) {
          Counted counted = new Counted(value);
          ForwardedHops hops = new ForwardedHops(List.of(counted, counted), header);
          int read = 0;
          while (hops.next().isPresent()) {
            read++;
          }
          assertTrue(read <= 64, read + " hops");
          assertTrue(counted.steps <= 4 * 8192, counted.steps + " steps with " + shard);
        }
      }
    }
  }

  private String caller(boolean forwarded, List<String> lines) {
    String header = forwarded ? "Forwarded" : "X-Forwarded-For";
    Asked asked = Asked.from(PROXY).header(header, lines.toArray(String[]::new));
    return (forwarded ? BY_FORWARDED : BY_X_FORWARDED_FOR).of(asked).orElseThrow();
  }

  private List<String> junkLines() {
    List<String> lines = new ArrayList<>();
    for (int line = random.nextInt(3); line >= 0; line--) {
      StringBuilder text = new StringBuilder();
      for (int shard = random.nextInt(9); shard > 0; shard--) {
        text.append(SHARDS.get(random.nextInt(SHARDS.size())));
      }
      if (text.length() > 0 && random.nextInt(4) == 0) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
      }
      lines.add(text.toString());
    }
    return lines;
  }

  /** Writes what a proxy could have written, damaged in up to two places. */
  private List<String> mutatedLines(boolean forwarded) {
    List<String> addresses =
        List.of("192.0.2.7", "2001:db8:2::1", "10.3.3.3", "10.4.4.4", "::ffff:10.5.5.5");
    List<String> hops = new ArrayList<>();
    for (int hop = random.nextInt(4); hop >= 0; hop--) {
      String address = addresses.get(random.nextInt(addresses.size()));
      hops.add(forwarded ? "proto=http;for=\"" + address + "\";by=_us" : address);
    }
    StringBuilder text = new StringBuilder(String.join(", ", hops));
    for (int wounds = random.nextInt(3); wounds > 0; wounds--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(3));
      text.replace(at, end, SHARDS.get(random.nextInt(SHARDS.size())));
    }
    return List.of(text.toString());
  }

  /** Every address anywhere in the lines, as the platform's own parser reads it. */
  private static Set<String> standing(List<String> lines) {
    Set<String> all = new HashSet<>();
    for (String line : lines) {
      for (String text : List.of(line, line.replace("\\", ""))) {
        Matcher matcher = ADDRESS.matcher(text);
        while (matcher.find()) {
          add(matcher.group(), all);
          add(matcher.group().replaceFirst(":[^:]*$", ""), all);
        }
      }
    }
    return all;
  }

  private static void add(String text, Set<String> all) {
    boolean ipv4 = IPV4.matcher(text).matches();
    if (!ipv4 && text.chars().filter(c -> c == ':').count() < 2) {
      return;
    }
    try {
      byte[] bytes = InetAddress.getByName(text).getAddress();
      all.add(canonical(bytes));
    } catch (UnknownHostException unreadable) {
      // Then no caller may be found there.
    }
  }

  private static String canonical(byte[] bytes) {
    boolean nat64 = bytes.length == 16 && Arrays.equals(bytes, 0, 12, NAT64, 0, 12);
    if (bytes.length == 4 || nat64) {
      int at = bytes.length - 4;
      return (bytes[at] & 255)
          + "."
          + (bytes[at + 1] & 255)
          + "."
          + (bytes[at + 2] & 255)
          + "."
          + (bytes[at + 3] & 255);
    }
    ClientAddress plain = new ClientAddress(SettingsSnapshot.of(Map.of()));
    StringBuilder groups = new StringBuilder();
    for (int at = 0; at < 16; at += 2) {
      groups.append(groups.length() == 0 ? "" : ":");
      groups.append(Integer.toHexString((bytes[at] & 255) << 8 | bytes[at + 1] & 255));
    }
    return plain.of(Asked.from(groups.toString())).orElseThrow();
  }

  private static ClientAddress address(String header) {
    return new ClientAddress(
        SettingsSnapshot.of(
            Map.of("weir.proxy.trusted", "10.0.0.0/8", "weir.proxy.header", header)));
  }

  /** A text that counts how often it is read. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long steps;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      steps++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      steps += end - start;
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
