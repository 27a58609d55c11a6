package io.weir.testkit.cluster;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The draws of one seed: a cluster, its policy, its load and its faults. */
final class Scenario {
  private static final List<Duration> FLUSHES =
      List.of(
          Duration.ofMillis(10),
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(250),
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofSeconds(10));
  private static final long MAX_FLUSHES = 300_000;
  private static final long MAX_REQUESTS = 12_000;

  /** Requests a second that one node sees that flickers. */
  private static final int FLICKERS = 550;

  private final Random random;
  private final Map<String, String> drawn = new TreeMap<>();
  final boolean flicker;
  final Algorithm algorithm;
  final long limit;
  final Duration window;
  final int windows;
  final int nodes;
  final long cost;
  final boolean calendar;
  final Priority priority;
  private final long refill;
  private final boolean strict;
  final Policy policy;
  final NodeSettings settings;
  final Faults faults;
  final int partitions;
  private double demand;
  private boolean comparable = true;
  private final Load load;

  Scenario(long seed) {
    random = new Random(seed * 48_271L + 11);
    random.nextInt();
    flicker = one("kind", List.of("any", "any", "flicker")).equals("flicker");
    algorithm = one("algorithm", List.of(Algorithm.values()));
    nodes = (int) Math.min(32, scale(flicker ? 2 : 1, flicker ? 7 : 33));
    window = Duration.ofMillis(scale(flicker ? 200 : 100, flicker ? 2_400 / nodes : 3_600_001));
    windows = 20 + random.nextInt(5);
    if (flicker) {
      cost = scale(1, 20);
      limit = (long) (FLICKERS * nodes * seconds(window) * cost / (1 + 3 * random.nextDouble()));
    } else {
      limit = scale(1, 1_000_001);
      cost = Math.max(1, 3 * limit * windows / scale(1_000, MAX_REQUESTS));
    }
    priority = priority(seed);
    calendar = calendar(seed);
    refill = refill(seed);
    strict = seed % 4 == 1;
    comparable = refill == 0;
    policy = policy(seed);
    settings = settings();
    faults = faults();
    partitions = 1 + random.nextInt(3);
    load = flicker ? flickering() : any();
    note("nodes", nodes == 1 ? "1" : nodes < 4 ? "2-3" : nodes < 10 ? "4-9" : "10-32");
    note("limit", magnitude(limit));
    note("window", window.toMillis() < 1_000 ? "<1s" : window.toSeconds() < 60 ? "<1min" : "<=1h");
    note("overshoot", policy.overshoot() == 0 ? "no" : "yes");
    note("demand", demand >= 3 ? ">=3" : "<3");
  }

  /** By the seed alone, so that all else is drawn as it was. */
  private Priority priority(long seed) {
    Priority drawn =
        seed % 8 == 5 ? List.of(Priority.values()).get((int) (seed / 8 % 4)) : Priority.NONE;
    note("priority", drawn.name());
    return drawn;
  }

  /** By the seed and the algorithm alone, so that all else is drawn as it was. */
  private boolean calendar(long seed) {
    boolean drawn = algorithm == Algorithm.FIXED_WINDOW && seed % 2 == 0;
    note("calendar", drawn ? "yes" : "no");
    return drawn;
  }

  /** When it begins. */
  private static Instant start(long seed) {
    return Instant.parse("2026-01-01T00:00:00Z").plusMillis(seed * 977);
  }

  /** Somewhere where midnight is in the middle of the run, which has the limit before and after. */
  private PolicyBuilder byCalendar(long seed) {
    Instant middle = start(seed).plus(duration().dividedBy(2)).plusSeconds(1);
    int seconds = (int) Math.floorMod(-middle.getEpochSecond(), 86_400L);
    ZoneOffset zone = ZoneOffset.ofTotalSeconds(seconds > 64_800 ? seconds - 86_400 : seconds);
    return Policy.builder("simulated")
        .limit(inForce())
        .window(1, ChronoUnit.DAYS)
        .zone(zone.getId());
  }

  private long inForce() {
    return calendar ? limit * windows / 2 : limit;
  }

  /** By the seed alone, too: every other token bucket has a refill of its own. */
  private long refill(long seed) {
    boolean refills = algorithm == Algorithm.TOKEN_BUCKET && seed % 2 == 1;
    note("refill", refills ? "yes" : "no");
    return refills ? Math.max(1, limit / (1 + seed / 2 % 10)) : 0;
  }

  private Policy policy(long seed) {
    long depth = burst();
    PolicyBuilder builder =
        calendar
            ? byCalendar(seed)
            : Policy.builder("simulated").limit(limit).window(window).algorithm(algorithm);
    builder
        .burst(refill > 0 ? 0 : depth)
        .refill(refill)
        .priority(priority)
        .overshoot(one("percent ahead", List.of(0, 0, 0, 1, 10, 50)));
    Mode mode = one("mode", List.of(Mode.HARD, Mode.HARD, Mode.SOFT, Mode.ELASTIC));
    Policy hard = builder.strict(refill > 0 && mode == Mode.HARD && strict).build();
    int exceedBy = 5 + random.nextInt(46);
    boolean rounds = Policy.excess(hard.burstFor(inForce()), inForce(), exceedBy) == 0;
    return rounds ? hard : builder.mode(mode).exceedBy(exceedBy).build();
  }

  /** At least what the dearest request costs. */
  private long burst() {
    return switch (algorithm) {
      case TOKEN_BUCKET -> random.nextInt(3) == 0 ? 0 : between(Math.min(2 * cost, limit), limit);
      case LEAKY_BUCKET -> 2 * cost + random.nextInt(10);
      default -> 0;
    };
  }

  private NodeSettings settings() {
    long micros = windows * window.toNanos() / 1_000;
    List<Duration> affordable =
        FLUSHES.stream()
            .filter(flush -> micros / (flush.toNanos() / 1_000) * nodes <= MAX_FLUSHES)
            .limit(flicker ? 3 : 2)
            .toList();
    Duration flush = affordable.isEmpty() ? FLUSHES.get(FLUSHES.size() - 1) : pick(affordable);
    note("flush", flush.toString());
    return new NodeSettings(
        flush,
        Duration.ofMillis(one("time-out ms", List.of(50, 100))),
        one("cached buckets", List.of(100_000, 100_000, 100_000, 4)),
        nodes,
        one(
            "without the store",
            List.of(OnStoreFailure.LOCAL, OnStoreFailure.CLOSED, OnStoreFailure.OPEN)));
  }

  private Faults faults() {
    EnumSet<Mishap> kinds = EnumSet.allOf(Mishap.class);
    if (flicker) {
      kinds = EnumSet.of(Mishap.PAUSE, Mishap.JOIN, Mishap.WALL_CLOCK);
    }
    List<Mishap> mishaps = new ArrayList<>();
    for (int i = 5 + random.nextInt(8); i > 0; i--) {
      mishaps.add(pick(List.copyOf(kinds)));
    }
    if (flicker) {
      return new Faults(0, 0.1, Duration.ofMillis(80), 0, mishaps, Duration.ofMillis(200));
    }
    double loss = one("loss", List.of(0.0, 0.01, 0.01, 0.02));
    double spikes = one("spikes", List.of(0.0, 0.005, 0.02, 0.1));
    Duration spike = Duration.ofMillis(pick(List.of(80, 80, 300)));
    double claims = pick(List.of(0.0, 0.0, 0.002));
    long longest = Math.max(3_000, window.toMillis() / 3);
    return new Faults(loss, spikes, spike, claims, mishaps, Duration.ofMillis(longest));
  }

  private Load flickering() {
    Caller caller = caller("k");
    demand = 3;
    note("load", "flicker");
    Duration beat = window.plus(window.dividedBy(2));
    int meets = (int) (limit / cost);
    double third = 0.3 * meets / seconds(window);
    return Load.together(
        List.of(
            Load.flicker(caller),
            Load.poisson(caller("q"), third),
            Load.bursts(caller("q"), meets / 2, Duration.ofMillis(40), beat),
            Load.bursts(caller("q"), meets, Duration.ofMillis(200), beat.plus(beat))));
  }

  private Load any() {
    double per = limit / (double) cost / seconds(window); // requests a second that meet the limit
    List<Load> loads = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      loads.add(pattern(loads.size(), per));
    }
    return Load.together(loads);
  }

  private Load pattern(int number, double per) {
    Caller caller = caller("k" + number).at(spread());
    String which =
        one(
            "load",
            List.of(
                "3x",
                "3x",
                "3x",
                "half",
                "slow keys",
                "bursts",
                "on/off",
                "herd",
                "steady",
                "two policies",
                "not all count"));
    Duration fifth = window.dividedBy(5);
    int meets = (int) Math.min(500, Math.max(2, limit / cost));
    boolean plain = which.equals("3x") || which.equals("half") || which.equals("steady");
    comparable &= plain;
    demand = which.equals("3x") ? 3 : demand;
    return switch (which) {
      case "3x" -> Load.poisson(caller, 3 * per);
      case "half" -> Load.poisson(caller, per / 2);
      case "slow keys" -> slowKeys(per);
      case "bursts" -> Load.bursts(caller, meets, fifth.dividedBy(3), window.plus(fifth));
      case "on/off" -> onOff(caller, meets);
      case "herd" -> Load.bursts(caller, 2 * meets, Duration.ZERO, window.plus(fifth));
      case "steady" -> Load.poisson(caller, Math.min(per, 20 / seconds(window)));
      case "two policies" -> Load.poisson(caller.also(companion()), 2 * per);
      default -> Load.poisson(caller.refunding(30 + random.nextInt(70)), 3 * per);
    };
  }

  private Load slowKeys(double per) {
    List<Load> loads = new ArrayList<>();
    for (int key = 0; key < 20; key++) {
      loads.add(Load.poisson(caller("slow" + key), per / 20));
    }
    return Load.together(loads);
  }

  private Load onOff(Caller caller, int meets) {
    List<Load> loads = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Duration every = window.dividedBy(2 + random.nextInt(8)).plusMillis(1);
      Caller there = caller.at(Caller.Spread.one(node));
      loads.add(Load.bursts(there, Math.max(1, meets / 4), every.dividedBy(3), every));
    }
    return Load.together(loads);
  }

  private Policy companion() {
    Duration longer = window.multipliedBy(2).plusMillis(7);
    return Policy.builder("companion").limit(Math.max(limit, 2 * cost)).window(longer).build();
  }

  private Caller caller(String name) {
    long most = Math.min(2 * cost - 1, policy.burstFor(limit));
    return Caller.of(policy, name).costing(Math.min(cost, 1 + most / 4), most);
  }

  private Caller.Spread spread() {
    return pick(List.of(Caller.Spread.even(), Caller.Spread.skewed(), Caller.Spread.one(0)));
  }

  ClusterBuilder cluster(long seed) {
    return SimulatedCluster.builder()
        .seed(seed)
        .start(start(seed))
        .nodes(nodes)
        .settings(settings)
        .network(Duration.ofNanos(400_000), Duration.ofNanos(pick(List.of(50_000, 300_000))))
        .partitions(partitions)
        .faults(faults)
        .load(load)
        .nodeLoad((node, micros) -> (node * 7 + micros / 3_000_000) % 11 / 10.0);
  }

  Duration duration() {
    return window.multipliedBy(windows);
  }

  /** Whether what one node would have admitted can be said. */
  boolean comparable() {
    return comparable
        && !calendar
        && !flicker
        && !followsLoad()
        && settings.onStoreFailure() != OnStoreFailure.OPEN;
  }

  /** Whether what is admitted depends on how busy a node is. */
  boolean followsLoad() {
    return policy.mode() == Mode.ELASTIC || priority != Priority.NONE;
  }

  double demand() {
    return demand;
  }

  Map<String, String> drawn() {
    return drawn;
  }

  @Override
  public String toString() {
    return policy + " nodes=" + nodes + " cost~" + cost + " " + drawn + " " + faults;
  }

  private long scale(long least, long below) {
    return (long) (least * Math.exp(random.nextDouble() * Math.log(below / (double) least)));
  }

  private long between(long least, long most) {
    return least + (long) (random.nextDouble() * (most - least + 1));
  }

  private <T> T one(String what, List<T> all) {
    T picked = pick(all);
    note(what, String.valueOf(picked));
    return picked;
  }

  private void note(String what, String picked) {
    drawn.merge(what, picked, (one, two) -> one + "+" + two);
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String magnitude(long number) {
    return "<" + (long) Math.pow(10, Long.toString(number).length());
  }
}
