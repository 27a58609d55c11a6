package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import inet.ipaddr.IPAddress;
import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.IpAddressParser;
import io.weir.seeds.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The list says of any address what a list that is read line by line says. */
class AccessListTest {
  private static final ClientAddress ADDRESSES = new ClientAddress(SettingsSnapshot.of(Map.of()));
  private static final int MOST_ENTRIES = 40;

  /** So many blocks of this prefix leave a third of all addresses: {@link DenialBound} is kept. */
  private static final int SHORTEST_DENIED = 6;

  private record Line(AccessEntry entry, IPAddress block) {
    static Line of(AccessEntry entry) {
      return new Line(entry, parsed(entry.subject().value()));
    }

    int length() {
      Integer prefix = block.getNetworkPrefixLength();
      return prefix == null ? block.getBitCount() : prefix;
    }
  }

  @Test
  void aListFindsWhatOneThatIsReadLineByLineFinds() {
    Seeds.each(25, AccessListTest::check);
  }

  private static void check(Random random) {
    List<AccessEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(MOST_ENTRIES); i >= 0; i--) {
      entries.add(entry(random));
    }
    AccessListBuilder builder =
        new AccessListBuilder(new SubjectReader(ADDRESSES, null, Map.of()), Callers.CLOCK);
    AccessMistakes mistakes = builder.add(entries);
    assertTrue(mistakes.areNone(), mistakes::toString);
    AccessList list = Objects.requireNonNull(builder.build());
    List<Line> lines = entries.stream().map(Line::of).toList();
    for (int i = 0; i < 200; i++) {
      String address = address(random);
      AccessFinding found =
          list.find(
              new Callers.From(address), ADDRESSES, false, AccessFinding.UNREAD, Callers.CLOCK);
      Optional<AccessEntry> expected = naive(lines, address, false);
      String context = address + " in " + entries;
      assertEquals(text(expected), text(found.entry()), context);
      boolean wouldDeny =
          naive(lines, address, true)
              .filter(each -> each.isShadow() && each.action() == AccessAction.DENY)
              .isPresent();
      assertEquals(wouldDeny && !found.denies(), found.wouldDeny(), context);
    }
  }

  private static String text(Optional<AccessEntry> entry) {
    return entry.map(each -> each.action() + " " + each.subject()).orElse("none");
  }

  /** Of the entries that contain an address the longest prefix, and of these one that denies. */
  private static Optional<AccessEntry> naive(List<Line> lines, String address, boolean withShadow) {
    IPAddress asked = parsed(address);
    return lines.stream()
        .filter(each -> each.block().contains(asked))
        .filter(each -> withShadow || !each.entry().isShadow())
        .filter(each -> each.entry().end().map(Callers.NOW::isBefore).orElse(true))
        .min(
            Comparator.<Line>comparingInt(each -> -each.length())
                .thenComparing(each -> each.entry().action())
                .thenComparing(each -> each.entry().isShadow()))
        .map(Line::entry);
  }

  private static IPAddress parsed(String text) {
    return IpAddressParser.block(text).orElseThrow();
  }

  private static AccessEntry entry(Random random) {
    boolean isIPv4 = random.nextBoolean();
    boolean isAllowed = random.nextInt(3) == 0;
    int shortest = isAllowed ? 1 : SHORTEST_DENIED;
    int length = shortest + random.nextInt((isIPv4 ? 33 : 129) - shortest);
    AccessSubject subject = AccessSubject.address(address(random, isIPv4) + "/" + length);
    AccessEntry entry = isAllowed ? AccessEntry.allow(subject) : AccessEntry.deny(subject);
    if (random.nextInt(4) == 0) {
      entry = entry.until(Callers.NOW.plusSeconds(random.nextInt(3) - 1));
    }
    return random.nextInt(4) == 0 ? entry.inShadow() : entry;
  }

  private static String address(Random random) {
    return address(random, random.nextBoolean());
  }

  /** Few bits vary, so that blocks contain each other and the addresses. */
  private static String address(Random random, boolean isIPv4) {
    int first = random.nextInt(2) * 128 + random.nextInt(2);
    int last = random.nextInt(4);
    if (!isIPv4 && random.nextInt(4) == 0) {
      return "::" + random.nextInt(4); // beside the addresses that carry IPv4
    }
    return isIPv4
        ? first + "." + random.nextInt(2) + ".0." + last
        : Integer.toHexString(0x2000 + first) + "::" + random.nextInt(2) + ":" + last;
  }
}
