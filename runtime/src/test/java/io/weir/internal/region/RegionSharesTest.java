package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Scope;
import io.weir.internal.permits.RegionPart;
import io.weir.seeds.Seeds;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RegionSharesTest {
  private static final BucketSpec SPEC = BucketSpec.builder("search").build();

  /** Released, and so the same for ever: nodes of two releases divide alike. */
  private static final List<Integer> REMAINDERS = List.of(91, 12, 41, 59, 36);

  /** Cuts 100 percent at random into two to five shares. */
  private static Map<String, Integer> shares(Random random) {
    int regions = 2 + random.nextInt(4);
    TreeSet<Integer> cuts = new TreeSet<>();
    while (cuts.size() < regions - 1) {
      cuts.add(1 + random.nextInt(99));
    }
    cuts.add(100);
    Map<String, Integer> shares = new TreeMap<>();
    int before = 0;
    for (int cut : cuts) {
      shares.put("r" + random.nextInt(1_000) + "-" + cut, cut - before);
      before = cut;
    }
    return shares;
  }

  private static List<RegionShares> all(Map<String, Integer> shares) {
    return shares.keySet().stream().map(each -> RegionShares.of(each, shares)).toList();
  }

  private static long sum(List<RegionShares> regions, long permits, int remainder) {
    return regions.stream().mapToLong(each -> each.part(permits, remainder)).sum();
  }

  @Test
  void partsAddUpToTheLimitForAnySharesAndRemainder() {
    Seeds.each(
        10,
        random -> {
          Map<String, Integer> shares = shares(random);
          List<RegionShares> regions = all(shares);
          LongStream small = LongStream.rangeClosed(0, 120);
          LongStream large =
              random
                  .longs(30, 1, Policy.MAX_LIMIT + 1)
                  .flatMap(each -> LongStream.of(each, 11 * each));
          for (long permits : LongStream.concat(small, large).toArray()) {
            for (int remainder = 0; remainder < 100; remainder++) {
              assertEquals(permits, sum(regions, permits, remainder), shares + ", " + permits);
            }
          }
        });
  }

  @Test
  void partIsTheShareWithinAPermit() {
    Seeds.each(
        4,
        random -> {
          Map<String, Integer> shares = shares(random);
          for (long permits = 1; permits < 130; permits++) {
            long leastOfAll = Long.MAX_VALUE;
            for (Map.Entry<String, Integer> each : shares.entrySet()) {
              RegionShares own = RegionShares.of(each.getKey(), shares);
              long limit = permits;
              long least =
                  IntStream.range(0, 100).mapToLong(at -> own.part(limit, at)).min().orElseThrow();
              long most =
                  IntStream.range(0, 100).mapToLong(at -> own.part(limit, at)).max().orElseThrow();
              assertEquals(permits * each.getValue() / 100, least);
              assertEquals((permits * each.getValue() + 99) / 100, most);
              leastOfAll = Math.min(leastOfAll, least);
            }
            RegionShares any = all(shares).get(0);
            assertEquals(leastOfAll, any.leastPart(permits));
            assertEquals(leastOfAll > 0, permits >= any.leastDivided());
          }
        });
  }

  @Test
  void orderOfSettingsMakesNoDifference() {
    Map<String, Integer> written = Map.of("us", 35, "eu", 45, "ap", 20);
    RegionSettings settings =
        new RegionSettings("eu", RegionMode.SHARES, Duration.ofSeconds(1), written, Map.of());
    assertEquals(List.of("ap", "eu", "us"), settings.names());
    for (int remainder = 0; remainder < 100; remainder++) {
      assertEquals(
          (7 * 65 + remainder) / 100 - (7 * 20 + remainder) / 100,
          RegionShares.of(settings).part(7, remainder));
    }
  }

  /** Each region that rises waits until those that fall have changed for a window. */
  @Test
  void changingSharesExceedsALimitByLessThanOnePermitForEachRegion() {
    Seeds.each(
        10,
        random -> {
          Map<String, Integer> before = shares(random);
          List<Integer> values = List.copyOf(before.values());
          Map<String, Integer> after = new TreeMap<>();
          int at = random.nextInt(values.size());
          for (String region : before.keySet()) {
            after.put(region, values.get((at + after.size()) % values.size()));
          }
          for (long permits = 1; permits < 130; permits++) {
            for (int remainder = 0; remainder < 100; remainder++) {
              long both = 0;
              for (String region : before.keySet()) {
                boolean falls = after.get(region) <= before.get(region);
                both += RegionShares.of(region, falls ? after : before).part(permits, remainder);
              }
              assertTrue(both < permits + before.size(), before + " to " + after + ", " + permits);
            }
          }
        });
  }

  @Test
  void remaindersAreTheSameInEveryProcess() {
    assertEquals(
        REMAINDERS,
        List.of(
            RegionShares.remainder(SPEC, Key.user("alice")),
            RegionShares.remainder(SPEC, Key.address("192.0.2.1")),
            RegionShares.remainder(SPEC, Key.of("0f8fad5b-d9cb-469f-a165-70867728950e")),
            RegionShares.remainder(SPEC, Key.everybody()),
            RegionShares.remainder(BucketSpec.builder("other").build(), Key.user("alice"))));
  }

  @Test
  void keysThatFollowEachOtherHaveAllRemaindersAlike() {
    int[] counts = new int[100];
    for (int i = 0; i < 100_000; i++) {
      counts[RegionShares.remainder(SPEC, Key.user("user" + i))]++;
    }
    for (int count : counts) {
      assertTrue(count > 850 && count < 1_150, IntStream.of(counts).boxed().toList()::toString);
    }
  }

  @Test
  void onlyLimitsOfAllRegionsAreDivided() {
    RegionShares shares = RegionShares.of("eu", Map.of("eu", 50, "us", 50));
    Policy global = Policy.builder("p").limit(10).window(Duration.ofMinutes(1)).build();
    assertTrue(shares.divides(global));
    assertFalse(RegionShares.NONE.divides(global));
    assertFalse(
        shares.divides(
            Policy.builder("p")
                .limit(10)
                .window(Duration.ofMinutes(1))
                .scope(Scope.REGION)
                .build()));
    assertFalse(
        shares.divides(
            Policy.builder("quota")
                .limit(10)
                .period(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofDays(30)))
                .build()));
    RegionSettings eventual =
        new RegionSettings(
            "eu", RegionMode.EVENTUAL, Duration.ofSeconds(1), Map.of(), Map.of("us", "redis://us"));
    assertFalse(RegionShares.of(eventual).divides(global));
  }

  @Test
  void theStartSaysWhatIsCountedHere() {
    assertTrue(
        RegionShares.of("eu", Map.of("ap", 20, "eu", 45, "us", 35))
            .describe()
            .orElseThrow()
            .startsWith("Region eu, one of 3, counts 45 % of each limit alone"));
    assertTrue(RegionShares.NONE.describe().isEmpty());
  }

  @Test
  void burstAndRefillAreDividedLikeTheLimit() {
    RegionShares shares = RegionShares.of("eu", Map.of("eu", 50, "us", 50));
    Policy burst =
        Policy.builder("p")
            .limit(10)
            .window(Duration.ofMinutes(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .burst(21)
            .build();
    assertEquals(new RegionPart(10, 5, 10, 0, false), shares.partOf(burst, 10, 10, 0));
    assertEquals(new RegionPart(10, 5, 11, 0, false), shares.partOf(burst, 10, 10, 50));
    Policy refill =
        Policy.builder("p")
            .limit(10)
            .window(Duration.ofMinutes(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .refill(4)
            .build();
    assertEquals(new RegionPart(10, 5, 5, 2, false), shares.partOf(refill, 10, 10, 99));
    assertEquals(new RegionPart(2, 1, 1, 0, true), shares.partOf(refill, 2, 2, 0));
    assertEquals(new RegionPart(1, 0, 10, 0, true), shares.partOf(burst, 1, 1, 0));
  }
}
