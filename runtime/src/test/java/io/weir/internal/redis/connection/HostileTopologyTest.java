package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.attack.Cases;
import io.weir.internal.redis.address.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Whatever servers say of other servers, a node knows some that can be, or that it knows none. */
class HostileTopologyTest {
  private static final Cases CASES = new Cases("replies of a hostile Redis, other servers");
  private static final HostAndPort SEED = new HostAndPort("seed", 1);
  private static final long[] NUMBERS = {
    -1,
    0,
    1,
    7,
    100,
    5_000,
    16_383,
    16_384,
    65_535,
    65_536,
    70_000,
    1L << 31,
    1L << 32,
    1L << 53,
    (1L << 53) + 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final String[] TEXTS = {
    "",
    "?",
    "a",
    "b",
    "10.0.0.1",
    "::1",
    "a b",
    "a\r\nb",
    "\0",
    "6379",
    "0",
    "-1",
    "65536",
    "x",
    "999999999999",
    "master",
    "slave",
    "\u00e9",
    "127.0.0.1:1",
    "k".repeat(300),
  };

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  @Test
  void slotsAreOfMastersThatCanBe() {
    AtomicReference<SlotMap> map = new AtomicReference<>(SlotMap.unknown(SEED));
    CASES.times(
        10_000,
        random -> {
          try {
            map.set(map.get().next(slots(random), SEED));
          } catch (ConnectionException unknown) {
            return;
          }
          for (int i = 0; i < 20; i++) {
            int partition = map.get().partition(("key" + random.nextInt()).getBytes(ISO_8859_1));
            assertCanBe(map.get().masters().get(partition));
          }
          assertTrue(map.get().masters().size() <= 100, "partitions are used again");
        });
  }

  private static @Nullable Object slots(Random random) {
    if (random.nextInt(20) == 0) {
      return anything(random, 0);
    }
    List<@Nullable Object> ranges = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      List<@Nullable Object> range = new ArrayList<>();
      range.add(random.nextInt(9) == 0 ? anything(random, 0) : number(random));
      range.add(random.nextInt(9) == 0 ? anything(random, 0) : number(random));
      range.add(
          random.nextInt(4) == 0 ? anything(random, 1) : List.of(text(random), number(random)));
      ranges.add(range.subList(0, random.nextInt(9) == 0 ? random.nextInt(3) : 3));
    }
    return ranges;
  }

  @Test
  void aReplyThatNamesMoreMastersThanAClusterHasIsNone() {
    List<Object> ranges = new ArrayList<>();
    for (long slot = 0; slot < 2_000; slot++) {
      ranges.add(List.of(slot, slot, List.of("a".getBytes(ISO_8859_1), 1 + slot)));
    }
    SlotMap map = SlotMap.unknown(SEED);
    assertThrows(ConnectionException.class, () -> map.next(ranges, SEED));
    assertEquals(1_000, map.next(ranges.subList(0, 1_000), SEED).masters().size());
  }

  @Test
  void aClusterThatTalksNonsenseLeavesTheMastersAsTheyWere() {
    AtomicReference<@Nullable Object> reply = new AtomicReference<>();
    ClusterTopology cluster =
        new ClusterTopology(List.of(SEED), at -> reply.get(), Runnable::run, Ticker.system());
    CASES.times(
        5_000,
        random -> {
          reply.set(slots(random));
          cluster.doubt();
          cluster.poll();
          assertCanBe(cluster.find(random.nextInt(20)));
        });
  }

  @Test
  void sentinelsThatTalkNonsenseNameNoMaster() {
    CASES.times(
        10_000,
        random -> {
          Object honest = List.of("m".getBytes(ISO_8859_1), "6379".getBytes(ISO_8859_1));
          SentinelTopology sentinels =
              new SentinelTopology(
                  List.of(SEED, new HostAndPort("other", 1), new HostAndPort("honest", 1)),
                  "name",
                  (at, words) -> at.host().equals("honest") ? honest : master(random),
                  Runnable::run);
          sentinels.poll();
          assertCanBe(sentinels.find(0));
        });
  }

  private static @Nullable Object master(Random random) {
    return random.nextBoolean() ? anything(random, 0) : List.of(text(random), text(random));
  }

  private static void assertCanBe(HostAndPort server) {
    assertTrue(server.port() >= 1 && server.port() <= 65_535, server.toString());
    assertTrue(server.host().matches("[!-~]{1,255}"), server.toString());
  }

  private static @Nullable Object anything(Random random, int depth) {
    return switch (random.nextInt(depth < 3 ? 5 : 3)) {
      case 0 -> null;
      case 1 -> number(random);
      case 2 -> text(random);
      default -> {
        List<@Nullable Object> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          parts.add(anything(random, depth + 1));
        }
        yield parts;
      }
    };
  }

  private static Long number(Random random) {
    return random.nextBoolean() ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(16_384);
  }

  private static byte[] text(Random random) {
    return Cases.one(random, TEXTS).getBytes(ISO_8859_1);
  }
}
