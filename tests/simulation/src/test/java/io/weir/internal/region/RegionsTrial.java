package io.weir.internal.region;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Count;
import io.weir.store.BucketId;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * Small simulations of regions in which a mistake shows fast: from a seed to what was broken.
 * Stateless.
 */
public final class RegionsTrial {
  private static final Duration WINDOW = Duration.ofSeconds(40);
  private static final String WHO = "alice";
  private static final long SECOND = 1_000_000;

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

  /**
   * Slow logins, counted as failures while they run: of one caller right ones only, of another also
   * wrong ones, three times the limit.
   *
   * <p><b>What holds.</b> Failures stay within the bound of all regions. A right login is given
   * back in each of them once it ends, so the caller of right ones is refused only while half of a
   * limit is in flight; the other half may be at nodes, in leases. And once all is quiet a store
   * counts the wrong logins of the last window, of all regions, and nothing of the right ones, but
   * for what lost messages left. All of it holds for logins of up to twelve slots: of more than 16
   * a node doesn't remember what it has reported.
   */
  public static List<String> logins(long seed) {
    Random random = new Random(seed);
    boolean fails = random.nextInt(3) == 0;
    Duration window = Duration.ofSeconds(60 + random.nextInt(180));
    Algorithm algorithm =
        List.of(Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG, Algorithm.TOKEN_BUCKET)
            .get(random.nextInt(3));
    long limit = 30L + random.nextInt(60);
    Policy policy = failures(algorithm, limit, window);
    SimulatedRegions regions =
        new SimulatedRegions(
            seed,
            clocks(random, 2 + random.nextInt(3), seed),
            2,
            50L + random.nextInt(150),
            fails ? 0.02 : 0,
            Load.together(List.of()));
    int count = regions.clocks.size();
    long slot = micros(window) / 60;
    long settles = fails ? 9 * SECOND : 4 * SECOND;
    ToLongFunction<Random> lasts = its -> lasts(its, Math.min(45 * SECOND, 12 * slot));
    Logins alice = new Logins(regions, policy, "alice", 100, lasts, settles);
    Logins mallory = new Logins(regions, policy, "mallory", 30, lasts, settles);
    regions.time.run(Duration.ofSeconds(3));
    double wrong = 3.0 * limit / window.toSeconds();
    regions.load(at -> limit / 25.0, its -> alice.login(its.nextInt(count), its));
    regions.load(at -> wrong, its -> mallory.login(its.nextInt(count), its));
    if (random.nextBoolean()) {
      regions.time.after(
          20 * SECOND + random.nextInt(60_000_000), () -> rush(alice, count, limit, random));
    }
    regions.time.run(Duration.ofSeconds(100));
    regions.rest();
    regions.time.run(Duration.ofSeconds(45));
    regions.time.run(Duration.ofNanos(settles * 1_000));
    List<String> broken = new ArrayList<>(new RegionsOracle(regions).violations());
    if (alice.fewestWhenRefused() < limit / 2) {
      broken.add("refused: with " + alice.fewestWhenRefused() + " of " + limit + " in flight");
    }
    if (algorithm != Algorithm.TOKEN_BUCKET) {
      counts(regions, List.of(alice, mallory), window, settles, broken);
    }
    return broken;
  }

  private static void rush(Logins logins, int count, long limit, Random random) {
    for (int region = 0; region < count; region++) {
      for (int i = 0; i < limit; i++) {
        logins.login(region, random);
      }
    }
  }

  private static Policy failures(Algorithm algorithm, long limit, Duration window) {
    return Policy.builder("logins")
        .limit(limit)
        .window(window)
        .algorithm(algorithm)
        .count(Count.FAILURES)
        .build();
  }

  /** Draws how long a login takes: a part of a second, some seconds, or longer than a lease. */
  private static long lasts(Random its, long most) {
    return switch (its.nextInt(10)) {
      case 0 -> SECOND + (long) (its.nextDouble() * (most - SECOND));
      case 1, 2, 3, 4 -> SECOND + its.nextInt(9_000_000);
      default -> 50_000L + its.nextInt(950_000);
    };
  }

  private static List<StoreClock> clocks(Random random, int count, long seed) {
    if (random.nextBoolean()) {
      return Collections.nCopies(count, StoreClock.RIGHT);
    }
    List<StoreClock> clocks = new ArrayList<>();
    for (int region = 0; region < count; region++) {
      clocks.add(StoreClock.draw(random, SimulatedRegions.startMicros(seed)));
    }
    return clocks;
  }

  /**
   * Each store counts what all regions have admitted in the last window, and no more than what
   * messages that were lost have charged twice or not given back.
   *
   * @param late microseconds by which a report may have come late, so that it counts longer
   */
  private static void counts(
      SimulatedRegions regions,
      List<Logins> callers,
      Duration window,
      long late,
      List<String> broken) {
    RegionsOracle oracle = new RegionsOracle(regions);
    long slot = micros(window) / 60;
    long begin = regions.time.now() - micros(window);
    for (Logins each : callers) {
      long least = oracle.admittedSince(each.bucket, begin + slot + SECOND);
      long most = oracle.admittedSince(each.bucket, begin - 2 * slot - late);
      for (int region = 0; region < regions.clusters.size(); region++) {
        long counted = regions.counted(region, each.bucket);
        long lost = regions.lost(region, each.bucket);
        if (counted < least || counted > most + lost) {
          broken.add(
              String.format(
                  Locale.ROOT,
                  "counts: %d in region %d, not %d to %d and %d by lost messages, of %s",
                  counted,
                  region,
                  least,
                  most,
                  lost,
                  each.bucket));
        }
      }
    }
  }

  /**
   * Regions that are cut off from each other for a minute. Within an interval and the way there and
   * back after it each store counts what all have admitted, so each refuses what is beyond the
   * limit. (A look-up that was under way when the cut ended first waits for its time-out.)
   */
  public static List<String> minute(long seed) {
    Random random = new Random(seed);
    Algorithm algorithm =
        List.of(Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW)
            .get(random.nextInt(3));
    boolean isFixed = algorithm == Algorithm.FIXED_WINDOW;
    int count = 2 + random.nextInt(3);
    long roundTrip = 50L + random.nextInt(150);
    Duration window = Duration.ofMinutes(10);
    long limit = 50L + random.nextInt(200);
    SimulatedRegions regions =
        new SimulatedRegions(
            seed,
            isFixed ? Collections.nCopies(count, StoreClock.RIGHT) : clocks(random, count, seed),
            2,
            roundTrip,
            random.nextBoolean() ? 0.02 : 0,
            Load.together(List.of()));
    long ends = (regions.time.now() / micros(window) + 1) * micros(window);
    if (isFixed && ends - regions.time.now() < 150 * SECOND) {
      regions.time.runUntil(ends); // so that the window doesn't end meanwhile
    }
    Logins logins =
        new Logins(
            regions,
            failures(algorithm, limit, window),
            WHO,
            30,
            its -> 20_000L + its.nextInt(5_000_000),
            0);
    regions.time.run(Duration.ofSeconds(3));
    double perSecond = (0.5 + random.nextDouble()) * limit / 60;
    regions.load(at -> perSecond, its -> logins.login(its.nextInt(count), its));
    regions.time.run(Duration.ofSeconds(30));
    boolean isAll = random.nextBoolean();
    cut(regions, isAll, true);
    regions.time.run(Duration.ofSeconds(50));
    regions.rest();
    regions.time.run(Duration.ofSeconds(10));
    cut(regions, isAll, false);
    long way = SimulatedRegions.INTERVAL + 4 * roundTrip * 1_250;
    regions.time.run(Duration.ofNanos((SimulatedRegions.TIMEOUT + way) * 1_000));
    List<String> broken = new ArrayList<>();
    if (regions.loses()) {
      regions.time.run(Duration.ofSeconds(15)); // a message may be lost again, and again
    }
    counts(regions, List.of(logins), window, 0, broken);
    for (int region = 0; region < count; region++) {
      refusesBeyond(regions, region, logins, limit, broken);
    }
    broken.addAll(new RegionsOracle(regions).violations());
    return broken;
  }

  private static void cut(SimulatedRegions regions, boolean isAll, boolean away) {
    if (isAll) {
      regions.cutAll(away);
    } else {
      regions.cut(0, 1, away);
    }
  }

  private static void refusesBeyond(
      SimulatedRegions regions, int region, Logins logins, long limit, List<String> broken) {
    long counted = regions.counted(region, logins.bucket);
    long refused = logins.refused();
    logins.login(region, new Random(region));
    regions.time.run(Duration.ofMillis(500));
    boolean isRefused = logins.refused() > refused;
    if (isRefused != counted >= limit) {
      broken.add(
          "counts: region "
              + region
              + (isRefused ? " refuses at " : " admits at ")
              + counted
              + " of "
              + limit);
    }
  }

  /** Regions whose stores' clocks stand apart, run at other speeds, and of which one is set. */
  public static List<String> apart(Algorithm algorithm, long seed) {
    Random random = new Random(seed);
    long begun = SimulatedRegions.startMicros(seed);
    List<StoreClock> clocks = new ArrayList<>();
    for (int region = 0; region < 3; region++) {
      clocks.add(StoreClock.draw(random, begun));
    }
    if (random.nextBoolean()) {
      long step = 1_100_000L + random.nextInt(2_000_000);
      // A window that has ended isn't opened again, so set back it just lasts longer.
      boolean isBack = algorithm != Algorithm.FIXED_WINDOW && random.nextBoolean();
      int one = random.nextInt(3);
      long at = begun + 20 * SECOND + random.nextInt(80_000_000);
      clocks.set(one, clocks.get(one).set(at, isBack ? -step : step));
    }
    return apart(policy(algorithm, 60), clocks, random, seed);
  }

  /** The same by windows of the calendar, around midnight. */
  public static List<String> midnight(long seed) {
    Random random = new Random(seed);
    long begun = SimulatedRegions.startMicros(seed);
    long day = 86_400 * SECOND;
    long midnight = day - begun % day - 60 * SECOND;
    List<StoreClock> clocks = new ArrayList<>();
    for (int region = 0; region < 3; region++) {
      long ahead = midnight + random.nextInt(80_000_000) - 40 * SECOND;
      clocks.add(new StoreClock(begun, ahead, random.nextInt(201) - 100, 0, 0));
    }
    Policy policy =
        Policy.builder("regions").limit(60).window(1, ChronoUnit.DAYS).zone("UTC").build();
    return apart(policy, clocks, random, seed);
  }

  private static List<String> apart(
      Policy policy, List<StoreClock> clocks, Random random, long seed) {
    double loss = random.nextBoolean() ? 0.02 : 0;
    SimulatedRegions regions =
        new SimulatedRegions(
            seed, clocks, 2, 50L + random.nextInt(150), loss, Load.together(List.of()));
    regions.time.run(Duration.ofSeconds(3));
    PermitRequest ask = ask(policy);
    for (int region = 0; region < clocks.size(); region++) {
      regions.load(region, ask, at -> 1.5);
    }
    if (random.nextBoolean()) {
      regions.time.after(
          random.nextInt(90_000_000),
          () -> {
            regions.cut(0, 1, true);
            regions.time.after(15 * SECOND, () -> regions.cut(0, 1, false));
          });
    }
    regions.time.run(Duration.ofMinutes(2));
    regions.end();
    return new RegionsOracle(regions).violations();
  }

  /** Use reported with the time before a clock was set an hour forward is charged all the same. */
  public static List<String> setForward(long seed) {
    long begun = SimulatedRegions.startMicros(seed);
    long setAt = begun + 10 * SECOND + seed * 7_919 % SECOND;
    StoreClock set = StoreClock.RIGHT.set(setAt, 3_600 * SECOND);
    SimulatedRegions regions =
        new SimulatedRegions(
            seed, List.of(StoreClock.RIGHT, set), 2, 100, 0, Load.together(List.of()));
    PermitRequest ask = ask(policy(Algorithm.SLIDING_WINDOW, 60));
    Random its = new Random(seed);
    regions.time.runUntil(setAt + 1_000);
    for (int i = 0; i < 40; i++) {
      regions.request(0, ask, its);
    }
    regions.time.run(Duration.ofSeconds(4));
    long counted = regions.counted(1, new BucketId(ask.policy().spec(), ask.key()));
    return counted == 40 ? List.of() : List.of("counts: " + counted + " of 40");
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
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
