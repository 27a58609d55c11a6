package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that seeds draw stay within the bound of docs/design/regions.md. */
class RegionsSimulationTest {
  private static final Logger LOGGER = Logger.getLogger("io.weir");
  private static final Duration RUN = Duration.ofMinutes(6);

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  /** Spread of callers over regions. */
  private enum Demand {
    BALANCED,
    MOSTLY_ONE,
    MOVING,
    BURSTS_AT_ONCE
  }

  @Test
  void staysWithinTheBound() {
    Seeds.each(4, random -> run(random.nextInt(1_000_000), true));
  }

  @Test
  void isNearTheLimitWhereNothingFails() {
    Seeds.each(3, random -> run(random.nextInt(1_000_000), false));
  }

  /** Failures are bound by the limit; right logins leave nothing, whatever the clocks say. */
  @Test
  void givesBackSlowLoginsEverywhere() {
    each(4, RegionsTrial::logins);
  }

  @Test
  void countsTheSameEverywhereAfterACutOfAMinute() {
    each(4, RegionsTrial::minute);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void staysWithinTheBoundIfTheClocksOfStoresStandApart(Algorithm algorithm) {
    each(1, seed -> RegionsTrial.apart(algorithm, seed));
  }

  @Test
  void staysWithinTheBoundOfDaysThatEndAtOtherTimes() {
    each(1, RegionsTrial::midnight);
  }

  private static void each(int times, LongFunction<List<String>> trial) {
    Seeds.each(
        times,
        random -> {
          long seed = random.nextInt(1_000_000);
          assertEquals(List.of(), trial.apply(seed), "trial of seed " + seed);
        });
  }

  private static <T> T one(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private static void run(long seed, boolean fails) {
    Random random = new Random(seed);
    int count = 2 + random.nextInt(4);
    long roundTrip = 50L + random.nextInt(151);
    Algorithm algorithm = one(List.of(Algorithm.values()), random);
    long limit = BucketLimit.draw(random, algorithm);
    Duration window = Duration.ofSeconds(20 + random.nextInt(60));
    Demand demand = one(List.of(Demand.values()), random);
    Policy policy =
        Policy.builder("regions").limit(limit).window(window).algorithm(algorithm).build();
    SimulatedRegions regions =
        new SimulatedRegions(seed, count, 2, roundTrip, fails ? 0.02 : 0, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(5));
    PermitRequest ask = new PermitRequest(policy, Key.user("alice"));
    double perSecond = 3.0 * limit / window.toSeconds();
    for (int region = 0; region < count; region++) {
      load(regions, region, count, ask, demand, perSecond, limit, random);
    }
    if (fails) {
      mishaps(regions, random, count);
    }
    regions.time.run(RUN);
    regions.end();
    String what =
        String.format(
            Locale.ROOT,
            "%d regions, %d ms, %s, %d per %s, %s",
            count,
            roundTrip,
            algorithm,
            limit,
            window,
            demand);
    RegionsOracle oracle = new RegionsOracle(regions);
    assertEquals(List.of(), oracle.violations(), what);
    assertTrue(oracle.admitted() > 0, what);
    double use = oracle.admitted() / (limit * (RUN.toSeconds() / (double) window.toSeconds()));
    System.out.printf(
        Locale.ROOT,
        "%s%s: most %.2f limits in a window, use %.2f, longest lag %d ms%n",
        what,
        fails ? ", failing" : "",
        oracle.most(),
        use,
        oracle.longestLag() / 1_000);
    if (!fails) {
      long lag = SimulatedRegions.INTERVAL + 2 * roundTrip * 1_000;
      assertTrue(oracle.longestLag() <= lag, what + ": " + oracle.longestLag());
    }
  }

  private static void load(
      SimulatedRegions regions,
      int region,
      int count,
      PermitRequest ask,
      Demand demand,
      double perSecond,
      long limit,
      Random random) {
    ToDoubleFunction<Long> rate =
        switch (demand) {
          case BALANCED -> at -> perSecond / count;
          case MOSTLY_ONE -> at -> region == 0 ? 0.9 * perSecond : 0.1 * perSecond / (count - 1);
          case MOVING -> at -> at / 30_000_000 % count == region ? perSecond : 0;
          case BURSTS_AT_ONCE -> at -> 0;
        };
    if (demand != Demand.BURSTS_AT_ONCE) {
      regions.load(region, ask, rate);
      return;
    }
    Random its = new Random(random.nextLong());
    for (long at = 0; at < RUN.toSeconds(); at += 25) {
      for (int i = 0; i < 2 * limit; i++) {
        regions.time.after(at * 1_000_000 + i * 1_000L, () -> regions.request(region, ask, its));
      }
    }
  }

  private static void mishaps(SimulatedRegions regions, Random random, int count) {
    List<Runnable> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int one = random.nextInt(count);
      int other = (one + 1 + random.nextInt(count - 1)) % count;
      long lasts = 1_000_000L * (20 + random.nextInt(100));
      all.add(
          () -> {
            regions.cut(one, other, true);
            regions.time.after(lasts, () -> regions.cut(one, other, false));
          });
    }
    int emptied = random.nextInt(count);
    all.add(() -> regions.clusters.get(emptied).wipe(0));
    int killed = random.nextInt(count);
    all.add(
        () -> {
          regions.clusters.get(killed).join();
          regions.clusters.get(killed).kill(0);
        });
    for (Runnable each : all) {
      regions.time.after(random.nextInt((int) (RUN.toSeconds() * 1_000_000L)), each);
    }
  }

  /** Limits small enough that all pairs of requests can be looked at. */
  private static final class BucketLimit {
    static long draw(Random random, Algorithm algorithm) {
      return switch (algorithm) {
        case TOKEN_BUCKET, LEAKY_BUCKET -> 3 + random.nextInt(20);
        default -> 3 + random.nextInt(150);
      };
    }
  }
}
