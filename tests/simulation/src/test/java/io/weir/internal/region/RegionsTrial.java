package io.weir.internal.region;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Small simulations of regions in which a mistake shows fast: from a seed to what was broken.
 * Stateless.
 */
public final class RegionsTrial {
  private static final Duration WINDOW = Duration.ofSeconds(40);
  private static final String WHO = "alice";

  private RegionsTrial() {}

  private static Policy policy(Algorithm algorithm, long limit) {
    return Policy.builder("regions").limit(limit).window(WINDOW).algorithm(algorithm).build();
  }

  private static PermitRequest ask(Policy policy) {
    return new PermitRequest(policy, Key.of(WHO));
  }

  /** Three regions of two nodes that lose messages and are cut off from each other for a while. */
  public static List<String> cut(Algorithm algorithm, long seed) {
    return cut(algorithm, seed, Load.together(List.of()), 3.0);
  }

  /** The same where most of what is taken comes back, some of it after it was reported. */
  public static List<String> refunded(Algorithm algorithm, long seed) {
    Caller caller = Caller.of(policy(algorithm, 60), WHO).refunding(80);
    return cut(algorithm, seed, Load.poisson(caller, 4), 0);
  }

  private static List<String> cut(Algorithm algorithm, long seed, Load load, double demand) {
    Random random = new Random(seed);
    SimulatedRegions regions = new SimulatedRegions(seed, 3, 2, 120, 0.02, load);
    regions.time.run(Duration.ofSeconds(3));
    PermitRequest ask = ask(policy(algorithm, 60));
    for (int region = 0; region < 3 && demand > 0; region++) {
      regions.load(region, ask, at -> demand * 60 / WINDOW.toSeconds() / 3);
    }
    for (int i = 0; i < 4; i++) {
      int one = random.nextInt(3);
      int other = (one + 1 + random.nextInt(2)) % 3;
      long lasts = 1_000_000L * (3 + random.nextInt(20));
      regions.time.after(
          random.nextInt(90_000_000),
          () -> {
            regions.cut(one, other, true);
            regions.time.after(lasts, () -> regions.cut(one, other, false));
          });
    }
    regions.time.run(Duration.ofSeconds(110));
    regions.end();
    return new RegionsOracle(regions).violations();
  }

  /** Where nothing fails, each region hears of the others' use within the interval and the way. */
  public static List<String> steady(long seed) {
    SimulatedRegions regions = new SimulatedRegions(seed, 2, 2, 150, 0, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(3));
    PermitRequest ask = ask(policy(Algorithm.SLIDING_WINDOW, 60));
    regions.load(0, ask, at -> 2);
    regions.load(1, ask, at -> 2);
    regions.time.run(Duration.ofSeconds(90));
    regions.end();
    RegionsOracle oracle = new RegionsOracle(regions);
    List<String> broken = new ArrayList<>(oracle.violations());
    long most = SimulatedRegions.INTERVAL + 2 * 150_000;
    if (oracle.longestLag() > most || oracle.longestLag() == 0) {
      broken.add("lag: " + oracle.longestLag() + " µs, not up to " + most);
    }
    return broken;
  }

  /** What a region reports again to its own store after a loss leaves the others what is left. */
  public static List<String> wiped(long seed) {
    SimulatedRegions regions = new SimulatedRegions(seed, 2, 2, 60, 0, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(3));
    PermitRequest ask = ask(policy(Algorithm.SLIDING_WINDOW, 60));
    Random its = new Random(seed);
    for (int i = 0; i < 25; i++) {
      regions.request(0, ask, its);
    }
    regions.time.run(Duration.ofSeconds(3));
    regions.clusters.get(0).wipe(0);
    regions.time.run(Duration.ofSeconds(4));
    return used(regions, ask, its, 60 - 25);
  }

  /** What was used at the end of a fixed window isn't charged to the next one. */
  public static List<String> edge(long seed) {
    SimulatedRegions regions = new SimulatedRegions(seed, 2, 2, 200, 0, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(3));
    PermitRequest ask = ask(policy(Algorithm.FIXED_WINDOW, 60));
    Random its = new Random(seed);
    long window = WINDOW.toNanos() / 1_000;
    long ends = Math.floorDiv(regions.time.now(), window) * window + window;
    // So that it is under way when the window ends.
    regions.time.runUntil(ends - 1_080_000 + seed * 7_919 % 1_000_000);
    for (int i = 0; i < 40; i++) {
      regions.request(0, ask, its);
    }
    regions.time.runUntil(ends + 3_000_000);
    return used(regions, ask, its, 60);
  }

  /** Permits that region 1 can use now. */
  private static List<String> used(
      SimulatedRegions regions, PermitRequest ask, Random its, long least) {
    long begun = regions.time.now();
    for (int i = 0; i < 100; i++) {
      regions.request(1, ask, its);
      regions.time.run(Duration.ofMillis(5));
    }
    regions.time.run(Duration.ofSeconds(2));
    RegionsOracle oracle = new RegionsOracle(regions);
    List<String> broken = new ArrayList<>(oracle.violations());
    long used = oracle.admittedSince(1, begun);
    if (used < least) {
      broken.add("use: " + used + " of " + least);
    }
    return broken;
  }
}
