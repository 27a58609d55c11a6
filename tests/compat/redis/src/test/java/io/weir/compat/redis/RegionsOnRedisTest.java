package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.compat.redis.fault.Moment;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three regions of two nodes, each with a Redis of its own, that report to each other over links of
 * 50 to 100 ms, which are cut and joined again.
 */
class RegionsOnRedisTest {
  private static final List<String> NAMES = List.of("ap", "eu", "us");
  private static final int LIMIT = 60;
  private static final Key WHO = Key.user("alice");

  private final String prefix = RedisServer.prefix();
  private final List<RedisServer> stores = new ArrayList<>();
  private final Map<String, FaultProxy> links = new HashMap<>();
  private final List<List<Weir>> regions = new ArrayList<>();

  private void begin() {
    NAMES.forEach(any -> stores.add(RedisServer.start()));
    for (int from = 0; from < NAMES.size(); from++) {
      for (int to = 0; to < NAMES.size(); to++) {
        FaultProxy link = FaultProxy.before(stores.get(to).port());
        link.slow(50, 100);
        links.put(from + "-" + to, link);
      }
    }
    for (int region = 0; region < NAMES.size(); region++) {
      regions.add(List.of(node(region), node(region)));
    }
  }

  private Weir node(int region) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", NAMES.get(region));
    settings.put("weir.store", stores.get(region).url());
    settings.put("weir.store.timeout", "5s");
    settings.put("weir.prefix", prefix);
    settings.put("weir.secret", "a secret of all regions");
    settings.put("weir.regions.interval", "200ms");
    settings.put("weir.write-back.leases-for-slow-callers", "false"); // all that is left is free
    for (int other = 0; other < NAMES.size(); other++) {
      if (other != region) {
        settings.put("weir.region." + NAMES.get(other) + ".store", link(region, other).url());
      }
    }
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  private FaultProxy link(int from, int to) {
    return links.get(from + "-" + to);
  }

  @AfterEach
  void end() {
    links.values().forEach(FaultProxy::heal);
    regions.forEach(each -> each.forEach(Weir::close));
    links.values().forEach(FaultProxy::close);
    stores.forEach(RedisServer::close);
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder("regions")
        .algorithm(algorithm)
        .limit(LIMIT)
        .window(Duration.ofDays(1))
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  /** Returns how many of so many requests, by turns to its nodes, a region admits. */
  private int admits(int region, Policy policy, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      Weir node = regions.get(region).get(i % 2);
      admitted += node.limiter().tryAcquire(policy, WHO).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private void awaitLeft(int region, Policy policy, long left) {
    Weir node = regions.get(region).get(0);
    await(
        () -> node.limiter().peek(policy, WHO).remaining() == left,
        () -> NAMES.get(region) + " has " + node.limiter().peek(policy, WHO) + node.regions());
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    long ends = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < ends, otherwise);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private boolean hears(int from, int to) {
    int at = to < from ? to + 1 : to; // the own one is first
    return regions.get(from).stream()
        .allMatch(
            each ->
                each.regions().get(at).trouble().isEmpty()
                    && each.regions().get(at).reported().isPresent());
  }

  @Test
  void togetherTheyAdmitTheLimitBeforeAndAfterACut() {
    begin();
    List<Algorithm> algorithms =
        Seeds.deep()
            ? List.of(Algorithm.values())
            : Seeds.today(
                List.of(Algorithm.SLIDING_WINDOW, Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET),
                3);
    for (Algorithm algorithm : algorithms) {
      if (algorithm != Algorithm.LEAKY_BUCKET) {
        withACut(policy(algorithm));
        regions.forEach(each -> each.get(0).limiter().reset(policy(algorithm), WHO));
      }
    }
  }

  private void withACut(Policy policy) {
    assertEquals(20, admits(0, policy, 20));
    for (int region = 0; region < 3; region++) {
      awaitLeft(region, policy, LIMIT - 20);
    }
    link(0, 1).strike(Fault.CUT, Moment.BEFORE);
    link(1, 0).strike(Fault.CUT, Moment.BEFORE);
    await(() -> !hears(0, 1) && !hears(1, 0), () -> "they aren't cut off");
    assertEquals(10, admits(0, policy, 10));
    assertEquals(10, admits(1, policy, 10));
    awaitLeft(2, policy, LIMIT - 40);
    awaitLeft(0, policy, LIMIT - 30);
    awaitLeft(1, policy, LIMIT - 30);
    if (Seeds.deep()) {
      LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
    }
    link(0, 1).slow(50, 100);
    link(1, 0).slow(50, 100);
    for (int region = 0; region < 3; region++) {
      awaitLeft(region, policy, LIMIT - 40);
    }
    assertEquals(20, admits(1, policy, 30), "what is left");
    awaitLeft(0, policy, 0);
    awaitLeft(2, policy, 0);
    assertEquals(0, admits(0, policy, 5) + admits(2, policy, 5));
  }
}
