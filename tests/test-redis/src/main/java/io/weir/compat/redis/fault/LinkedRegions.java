package io.weir.compat.redis.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Regions of two nodes, each with a store of its own, that count one limit over links of 50 to 100
 * ms, which are cut and joined again; and what must hold then, to the permit.
 *
 * <p>Confine to one thread.
 */
public final class LinkedRegions implements AutoCloseable {
  private static final int LIMIT = 60;
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final long LEAST_MILLIS = 50;
  private static final long MOST_MILLIS = 100;

  private final String prefix = RedisServer.prefix();
  private final List<Place> places;
  private final String shares;
  private final Duration cut;
  private final List<List<FaultProxy>> links = new ArrayList<>();
  private final List<List<Weir>> regions = new ArrayList<>();

  /**
   * A region and its store.
   *
   * @param region its name
   * @param url the address of its store, on 127.0.0.1 and without TLS
   * @param port the port in that address
   */
  public record Place(String region, String url, int port) {
    /** Makes a region on a Redis. */
    public static Place on(String region, RedisServer redis) {
      return new Place(region, redis.url(), redis.port());
    }

    private FaultProxy link() {
      return url.startsWith("redis:") ? FaultProxy.before(port) : FaultProxy.beforePostgres(port);
    }

    private String over(FaultProxy link) {
      return url.replace(":" + port, ":" + link.port());
    }
  }

  private LinkedRegions(List<Place> places, String shares, Duration cut) {
    this.places = places;
    this.cut = cut;
    this.shares = shares;
    for (int from = 0; from < places.size(); from++) {
      links.add(places.stream().map(Place::link).toList());
    }
    for (int region = 0; region < places.size(); region++) {
      regions.add(List.of(node(region), node(region)));
    }
  }

  /**
   * Starts regions that report to each other.
   *
   * @param cut how long a cut lasts at least, up to a minute
   */
  public static LinkedRegions reporting(Duration cut, Place... places) {
    LinkedRegions regions = new LinkedRegions(List.of(places), "", cut);
    for (int from = 0; from < places.length; from++) {
      for (int to = 0; to < places.length; to++) {
        regions.join(from, to);
      }
    }
    return regions;
  }

  /**
   * Starts regions that have shares, and no links to each other.
   *
   * @param shares as in {@code weir.regions.shares}
   */
  public static LinkedRegions sharing(String shares, Place... places) {
    return new LinkedRegions(List.of(places), shares, Duration.ZERO);
  }

  private Weir node(int region) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", places.get(region).region());
    settings.put("weir.store", places.get(region).over(link(region, region)));
    settings.put("weir.store.timeout", "5s");
    settings.put("weir.prefix", prefix);
    settings.put("weir.secret", "a secret of all regions");
    settings.put("weir.write-back.leases-for-slow-callers", "false"); // all that is left is free
    if (shares.isEmpty()) {
      report(region, settings);
    } else {
      settings.put("weir.regions.mode", "shares");
      settings.put("weir.regions.shares", shares);
    }
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  private void report(int region, Map<String, String> settings) {
    settings.put("weir.regions.interval", "200ms");
    for (int other = 0; other < places.size(); other++) {
      if (other != region) {
        String store = "weir.region." + places.get(other).region() + ".store";
        settings.put(store, places.get(other).over(link(region, other)));
        settings.put(store + ".timeout", "10s"); // what isn't answered in time may count twice
      }
    }
  }

  private FaultProxy link(int from, int to) {
    return links.get(from).get(to);
  }

  private void cut(int from, int to) {
    link(from, to).strike(Fault.CUT, Moment.BEFORE);
  }

  private void join(int from, int to) {
    if (from == to) {
      link(from, to).heal(); // the own store is next door
    } else {
      link(from, to).slow(LEAST_MILLIS, MOST_MILLIS);
    }
  }

  private static Policy policy(Algorithm algorithm, int limit) {
    return Policy.builder("regions")
        .algorithm(algorithm)
        .limit(limit)
        .window(WINDOW)
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  /** Returns how many of so many requests, by turns to its nodes, a region admits. */
  private int admits(int region, Policy policy, Key who, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += ask(region, i % 2, policy, who).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private Decision ask(int region, int node, Policy policy, Key who) {
    return regions.get(region).get(node).limiter().tryAcquire(policy, who);
  }

  private Decision peek(int region, Policy policy, Key who) {
    return regions.get(region).get(0).limiter().peek(policy, who);
  }

  private void awaitLeft(int region, Policy policy, Key who, long left) {
    await(
        () -> peek(region, policy, who).remaining() == left,
        () ->
            places.get(region).region()
                + " has not "
                + left
                + " left, but "
                + peek(region, policy, who)
                + regions.get(region).get(0).regions());
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    long ends = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - ends < 0, otherwise);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private boolean hears(int from, int to) {
    return regions.get(from).stream()
        .flatMap(node -> node.regions().stream())
        .filter(each -> each.name().equals(places.get(to).region()))
        .allMatch(LinkedRegions::isReached);
  }

  private static boolean isReached(RegionStatus region) {
    return region.trouble().isEmpty() && region.reported().isPresent();
  }

  /** Cuts the first two off from each other. Others still hear both, and tell neither. */
  private void separate() {
    cut(0, 1);
    cut(1, 0);
    await(() -> !hears(0, 1) && !hears(1, 0), () -> "they aren't cut off");
  }

  private void reunite() {
    long ends = System.nanoTime() + cut.toNanos();
    await(() -> System.nanoTime() - ends >= 0, () -> "a cut of " + cut + " is too long");
    join(0, 1);
    join(1, 0);
  }

  /**
   * Together they admit the limit, although a part of it was used during a cut, of which either
   * side learns only afterwards.
   */
  public void admitTheLimitAcrossACut(Algorithm algorithm) {
    Policy policy = policy(algorithm, LIMIT);
    Key who = Key.user("alice");
    assertEquals(20, admits(0, policy, who, 20));
    for (int region = 0; region < regions.size(); region++) {
      awaitLeft(region, policy, who, LIMIT - 20);
    }
    separate();
    assertEquals(10, admits(0, policy, who, 10));
    assertEquals(10, admits(1, policy, who, 10));
    for (int region = 0; region < regions.size(); region++) {
      awaitLeft(region, policy, who, region < 2 ? LIMIT - 30 : LIMIT - 40);
    }
    reunite();
    for (int region = 0; region < regions.size(); region++) {
      awaitLeft(region, policy, who, LIMIT - 40);
    }
    assertEquals(20, admits(1, policy, who, 30), "what is left");
    for (int region = 0; region < regions.size(); region++) {
      awaitLeft(region, policy, who, 0);
      assertEquals(0, admits(region, policy, who, 5));
    }
  }

  /**
   * During a cut each side admits what the other doesn't know of, and no more. Afterwards all of it
   * counts everywhere; what is beyond a burst has to drain before anything is admitted again.
   */
  public void admitBeyondTheLimitOnlyWhatACutHid(Algorithm algorithm) {
    Policy policy = policy(algorithm, LIMIT);
    Key who = Key.user("bob");
    assertEquals(10, admits(0, policy, who, 10));
    awaitLeft(1, policy, who, LIMIT - 10);
    separate();
    assertEquals(30, admits(0, policy, who, 30));
    assertEquals(LIMIT - 10, admits(1, policy, who, LIMIT), "as much as it knows to be free");
    awaitLeft(0, policy, who, LIMIT - 40);
    reunite();
    for (int region = 0; region < regions.size(); region++) {
      awaitLeft(region, policy, who, 0);
      assertEquals(0, admits(region, policy, who, 5));
    }
    if (algorithm == Algorithm.TOKEN_BUCKET) {
      long beyond = 10 + 30 + LIMIT - 10 - LIMIT;
      Duration drains = WINDOW.dividedBy(LIMIT).multipliedBy(beyond);
      await(
          () -> peek(0, policy, who).retryAfter().compareTo(drains) > 0,
          () -> "in full: " + peek(0, policy, who) + ", not " + drains);
    }
  }

  /** Parts add up to the limit for each caller, and a region without its store changes no other. */
  public void admitTheirPartsWhateverIsCutOff(Algorithm algorithm, int... least) {
    Policy policy = policy(algorithm, LIMIT + 1);
    Key during = Key.user("during");
    cut(1, 1);
    await(() -> ask(1, 0, policy, Key.user("any")).degraded(), () -> "it isn't cut off");
    assertEquals(0, admits(1, policy, during, 5));
    int alone = admits(0, policy, during, 2 * LIMIT);
    join(1, 1);
    await(() -> isDecidedByStore(1, policy), () -> "" + peek(1, policy, Key.user("any")));
    assertEquals(LIMIT + 1, alone + admits(1, policy, during, 2 * LIMIT));
    for (int caller = 0; caller < 5; caller++) {
      Key who = Key.user("caller " + caller);
      int together = 0;
      for (int region = 0; region < regions.size(); region++) {
        int part = admits(region, policy, who, LIMIT + 5);
        assertTrue(part == least[region] || part == least[region] + 1, region + ": " + part);
        together += part;
      }
      assertEquals(LIMIT + 1, together);
    }
  }

  private boolean isDecidedByStore(int region, Policy policy) {
    return regions.get(region).stream()
        .noneMatch(node -> node.limiter().tryAcquire(policy, Key.user("any")).degraded());
  }

  @Override
  public void close() {
    links.forEach(each -> each.forEach(FaultProxy::heal));
    regions.forEach(each -> each.forEach(Weir::close));
    links.forEach(each -> each.forEach(FaultProxy::close));
  }
}
