package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  @Test
  void aListFindsWhatOneThatIsReadLineByLineFinds() {
    Seeds.each(25, AccessListTest::check);
  }

  private static void check(Random random) {
    List<AccessEntry> entries = new ArrayList<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      entries.add(entry(random));
    }
    AccessListBuilder builder =
        new AccessListBuilder(new SubjectReader(ADDRESSES, null, Map.of()), Callers.CLOCK);
    var unused = builder.add(entries);
    AccessList list = Objects.requireNonNull(builder.build());
    for (int i = 0; i < 200; i++) {
      String address = address(random);
      AccessFinding found =
          list.find(
              new Callers.From(address), ADDRESSES, false, AccessFinding.UNREAD, Callers.CLOCK);
      Optional<AccessEntry> expected = naive(entries, address, false);
      String context = address + " in " + entries;
      assertEquals(text(expected), text(found.entry()), context);
      boolean wouldDeny =
          naive(entries, address, true)
              .filter(each -> each.isShadow() && each.action() == AccessAction.DENY)
              .isPresent();
      assertEquals(wouldDeny && !found.denies(), found.wouldDeny(), context);
    }
  }

  private static String text(Optional<AccessEntry> entry) {
    return entry.map(each -> each.action() + " " + each.subject()).orElse("none");
  }

  /** Of the entries that contain an address the longest prefix, and of these one that denies. */
  private static Optional<AccessEntry> naive(
      List<AccessEntry> entries, String address, boolean withShadow) {
    return entries.stream()
        .filter(each -> withShadow || !each.isShadow())
        .filter(each -> each.end().isEmpty() || Callers.NOW.isBefore(each.end().get()))
        .filter(each -> parsed(each.subject().value()).contains(parsed(address)))
        .min(
            Comparator.<AccessEntry>comparingInt(each -> -length(each))
                .thenComparing(AccessEntry::action)
                .thenComparing(AccessEntry::isShadow));
  }

  private static int length(AccessEntry entry) {
    IPAddress block = parsed(entry.subject().value());
    Integer prefix = block.getNetworkPrefixLength();
    return prefix == null ? block.getBitCount() : prefix;
  }

  private static IPAddress parsed(String text) {
    return IpAddressParser.block(text).orElseThrow();
  }

  private static AccessEntry entry(Random random) {
    boolean isIPv4 = random.nextBoolean();
    int length = 1 + random.nextInt(isIPv4 ? 32 : 128);
    AccessSubject subject = AccessSubject.address(address(random, isIPv4) + "/" + length);
    AccessEntry entry =
        random.nextInt(3) == 0 ? AccessEntry.allow(subject) : AccessEntry.deny(subject);
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
