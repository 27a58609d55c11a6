package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessEntry;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.seeds.DeepOnly;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Measures a look-up in a list of 100,000 blocks, beside an empty one, and the time to read it. */
@DeepOnly
class AccessCostTest {
  private static final int BLOCKS = 100_000;
  private static final int CALLERS = 512;
  private static final int ROUNDS = 2_000;

  private final ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));
  private final SubjectReader reader = new SubjectReader(addresses, null, Map.of());

  @Test
  void aLookUpAmongManyBlocks() {
    Random random = new Random(1);
    String text =
        random
            .ints(BLOCKS)
            .mapToObj(any -> address(random) + "/" + (16 + random.nextInt(17)) + "\n")
            .collect(Collectors.joining());
    List<Callers.From> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(new Callers.From(address(random)));
    }
    AccessList empty = list(List.of(AccessEntry.parse("deny user:nobody")));
    for (int round = 1; round <= 3; round++) {
      long begin = System.nanoTime();
      AccessList full = list(AccessFileText.parse(text).entries());
      long read = (System.nanoTime() - begin) / 1_000_000;
      double none = nanos(empty, callers);
      double many = nanos(full, callers);
      System.out.printf(
          Locale.ROOT,
          "access list: %,d blocks read in %d ms; a look-up takes %.0f ns, %.0f ns without blocks%n",
          BLOCKS,
          read,
          many,
          none);
      assertTrue(many > 0 && none > 0);
    }
  }

  private AccessList list(List<AccessEntry> entries) {
    AccessListBuilder builder = new AccessListBuilder(reader, Callers.CLOCK);
    var unused = builder.add(entries);
    return Objects.requireNonNull(builder.build());
  }

  private double nanos(AccessList list, List<Callers.From> callers) {
    int denied = 0;
    long begin = 0;
    for (int round = -ROUNDS / 4; round < ROUNDS; round++) {
      if (round == 0) {
        begin = System.nanoTime();
      }
      for (Callers.From each : callers) {
        AccessFinding found =
            list.find(each, addresses, false, AccessFinding.UNREAD, Callers.CLOCK);
        denied += found.denies() ? 1 : 0;
      }
    }
    assertTrue(denied >= 0);
    return (System.nanoTime() - begin) / (double) ROUNDS / callers.size();
  }

  private static String address(Random random) {
    return random.nextInt(224)
        + "."
        + random.nextInt(256)
        + "."
        + random.nextInt(256)
        + "."
        + random.nextInt(256);
  }
}
