package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Count;
import io.weir.seeds.Seeds;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Measures what three regions admit beyond a limit, and how much of it can be used. A long build
 * prints the table of docs/design/regions.md.
 */
class RegionsOvershootTest {
  private static final int REGIONS = 3;
  private static final long ROUND_TRIP = 100;
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final int WINDOWS = 5;

  /** Spread of three times the limit over regions. */
  private enum Demand {
    EVEN("the same everywhere"),
    MOSTLY_ONE("90, 5 and 5 %"),
    MOVING("moves on each minute"),
    BURSTS("2 L everywhere at once, each minute"),
    FAILURES("slow wrong logins everywhere");

    private final String text;

    Demand(String text) {
      this.text = text;
    }
  }

  /**
   * Admitted permits.
   *
   * @param most in a window, in limits
   * @param use of what a single store would have admitted
   */
  private record Admitted(double most, double use) {}

  @Test
  void staysWithinTheBoundAtEachDemand() {
    List<Long> limits = Seeds.deep() ? List.of(10L, 100L, 1_000L) : List.of(10L);
    System.out.println(
        "| demand | limit | sliding window: most | use | token bucket: most | use |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    for (Demand demand : Demand.values()) {
      for (long limit : limits) {
        Admitted sliding = measure(Algorithm.SLIDING_WINDOW, demand, limit);
        Admitted level = measure(Algorithm.TOKEN_BUCKET, demand, limit);
        System.out.printf(
            Locale.ROOT,
            "| %s | %,d | %.2f L | %.2f | %.2f L | %.2f |%n",
            demand.text,
            limit,
            sliding.most(),
            sliding.use(),
            level.most(),
            level.use());
      }
    }
  }

  private static Admitted measure(Algorithm algorithm, Demand demand, long limit) {
    SimulatedRegions regions =
        new SimulatedRegions(7, REGIONS, 2, ROUND_TRIP, 0, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(5));
    Policy policy =
        Policy.builder("overshoot")
            .limit(limit)
            .window(WINDOW)
            .algorithm(algorithm)
            .count(demand == Demand.FAILURES ? Count.FAILURES : Count.ALL)
            .build();
    double perSecond = 3.0 * limit / WINDOW.toSeconds();
    for (int region = 0; region < REGIONS; region++) {
      load(regions, region, policy, demand, perSecond);
    }
    regions.time.run(WINDOW.multipliedBy(WINDOWS));
    regions.end();
    RegionsOracle oracle = new RegionsOracle(regions);
    if (limit < 1_000) { // of more not all pairs are looked at
      assertEquals(List.of(), oracle.violations(), demand + " " + limit + " " + algorithm);
    }
    long burst = algorithm == Algorithm.TOKEN_BUCKET ? 1 : 0;
    double use = oracle.admitted() / (double) (limit * (WINDOWS + burst));
    double most = oracle.most();
    assertTrue(most <= REGIONS * (1 + burst), demand + ": " + most);
    return new Admitted(most, use);
  }

  private static void load(
      SimulatedRegions regions, int region, Policy policy, Demand demand, double perSecond) {
    PermitRequest ask = new PermitRequest(policy, Key.of("alice"));
    long minute = WINDOW.toNanos() / 1_000;
    ToDoubleFunction<Long> rate =
        switch (demand) {
          case EVEN, FAILURES -> at -> perSecond / REGIONS;
          case MOSTLY_ONE -> at -> perSecond * (region == 0 ? 0.9 : 0.05);
          case MOVING -> at -> at / minute % REGIONS == region ? perSecond : 0;
          case BURSTS -> at -> 0;
        };
    Random its = new Random(region);
    if (demand == Demand.BURSTS) {
      for (int at = 0; at < WINDOWS; at++) {
        for (int i = 0; i < 2 * policy.limit(); i++) {
          long after = at * minute + i * 1_000_000L / (2 * policy.limit());
          regions.time.after(after, () -> regions.request(region, ask, its));
        }
      }
    } else if (demand == Demand.FAILURES) {
      Logins wrong =
          new Logins(regions, policy, "alice", 25, any -> 1_000_000L + any.nextInt(9_000_000), 0);
      regions.load(rate, any -> wrong.login(region, any));
    } else {
      regions.load(region, ask, rate);
    }
  }
}
