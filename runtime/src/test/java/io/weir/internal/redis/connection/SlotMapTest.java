package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.redis.address.HostAndPort;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotMapTest {
  private static final HostAndPort SEED = new HostAndPort("seed", 1);

  /** Keys of slots 12182, 5061 and 866. */
  private static final List<String> KEYS = List.of("foo", "bar", "hello");

  private static final List<Object> THIRDS =
      List.of(range(0, 5_000, "a"), range(5_001, 10_000, "b"), range(10_001, 16_383, "c"));

  private static List<Object> range(long first, long last, String host) {
    return List.of(first, last, List.of(host.getBytes(UTF_8), 7L, "id".getBytes(UTF_8)));
  }

  /** Where each of the keys is, and its partition. */
  private static String places(SlotMap map) {
    return String.join(
        " ",
        KEYS.stream()
            .map(key -> map.partition(key.getBytes(UTF_8)))
            .map(partition -> partition + "=" + map.masters().get(partition).host())
            .toList());
  }

  @Test
  void everythingIsAtTheSeedUntilItSaysOtherwise() {
    SlotMap map = SlotMap.unknown(SEED);
    assertEquals("0=seed 0=seed 0=seed", places(map));
    assertEquals("2=c 1=b 0=a", places(map.next(THIRDS, SEED)));
  }

  @Test
  void aMasterKeepsItsPartitionWhateverItsSlots() {
    SlotMap map = SlotMap.unknown(SEED).next(THIRDS, SEED);
    SlotMap turned = map.next(List.of(range(0, 9_000, "c"), range(9_001, 16_383, "a")), SEED);
    assertEquals("0=a 2=c 2=c", places(turned));
    assertEquals("2=c 1=b 0=a", places(turned.next(THIRDS, SEED)));
  }

  @Test
  void whoTakesOverTheSlotsTakesOverThePartition() {
    SlotMap map = SlotMap.unknown(SEED).next(THIRDS, SEED);
    List<Object> failedOver =
        List.of(range(0, 5_000, "a"), range(5_001, 10_000, "d"), range(10_001, 16_383, "c"));
    assertEquals("2=c 1=d 0=a", places(map.next(failedOver, SEED)));
  }

  @Test
  void aMasterWithoutSlotsIsNoPartitionUntilItHasSomeAgain() {
    SlotMap map = SlotMap.unknown(SEED).next(THIRDS, SEED);
    SlotMap scaledIn = map.next(List.of(range(0, 9_000, "a"), range(9_001, 16_383, "c")), SEED);
    assertEquals(
        List.of(true, false, true, false),
        List.of(scaledIn.has(0), scaledIn.has(1), scaledIn.has(2), scaledIn.has(3)));
    assertEquals(
        List.of("a", "c"), scaledIn.mastersWithSlots().stream().map(HostAndPort::host).toList());
    assertTrue(scaledIn.next(THIRDS, SEED).has(1));
  }

  @Test
  void aNewMasterGetsANewPartition() {
    SlotMap map = SlotMap.unknown(SEED).next(THIRDS, SEED);
    List<Object> more =
        List.of(
            range(0, 500, "a"),
            range(501, 5_000, "d"),
            range(5_001, 10_000, "b"),
            range(10_001, 16_383, "c"));
    assertEquals("2=c 1=b 3=d", places(map.next(more, SEED)));
    assertEquals("2=c 1=b 0=a", places(map.next(more, SEED).next(THIRDS, SEED)));
  }

  @Test
  void partitionsAreUsedAgain() {
    SlotMap map = SlotMap.unknown(SEED);
    for (int i = 0; i < 100; i++) {
      map = map.next(List.of(range(0, 9_999, "a" + i), range(10_000, 16_383, "b" + i)), SEED);
    }
    assertEquals(2, map.masters().size());
  }

  @Test
  void slotsThatNobodyHasStayWhereTheyWere() {
    SlotMap map = SlotMap.unknown(SEED).next(THIRDS, SEED);
    assertEquals("2=c 1=b 0=a", places(map.next(List.of(range(0, 5_000, "a")), SEED)));
  }

  @Test
  void aNodeWithoutANameMeansTheOneThatWasAsked() {
    for (Object name : new Object[] {new byte[0], "?".getBytes(UTF_8), null}) {
      List<Object> node = Arrays.asList(name, 9L);
      SlotMap map = SlotMap.unknown(SEED).next(List.of(List.of(0L, 16_383L, node)), SEED);
      assertEquals(new HostAndPort("seed", 9), map.masters().get(0));
    }
  }

  @Test
  void whoKnowsOfNoSlotsIsNoHelp() {
    SlotMap map = SlotMap.unknown(SEED);
    for (Object odd : new Object[] {List.of(), "OK", 1L, List.of(1L), List.of(List.of(1L))}) {
      assertThrows(ConnectionException.class, () -> map.next(odd, SEED));
    }
  }
}
