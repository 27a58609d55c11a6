package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.seeds.DeepOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Counts what a region of 100 nodes and 10,000 busy callers sends to one other, by what that one's
 * Redis has counted, and prints it. Nobody else uses that Redis.
 */
@DeepOnly
class RegionsTrafficTest {
  private static final int NODES = 100;
  private static final int CALLERS = 10_000;
  private static final int REQUESTS_PER_SECOND = 10_000;
  private static final int TICKS_PER_SECOND = 100;
  private static final long SECOND = 1_000_000_000;
  private static final int SECONDS = 20;
  private static final int MOST_WAITING = 5_000;

  /** Bytes there for a charge, with its part of a batch, at most. */
  private static final long MOST_BYTES = 250;

  private static final Policy POLICY =
      Policy.builder("traffic")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .limit(120)
          .window(Duration.ofMinutes(1))
          .build();

  private final RedisServer eu = RedisServer.start();
  private final RedisServer us = RedisServer.start();
  private final List<Weir> nodes = new ArrayList<>();
  private final List<List<PermitRequest>> callers =
      IntStream.range(0, CALLERS)
          .mapToObj(each -> List.of(new PermitRequest(POLICY, Key.user("caller " + each))))
          .toList();
  private final Ticker clock = Ticker.system();

  @AfterEach
  void close() {
    nodes.forEach(Weir::close);
    eu.close();
    us.close();
  }

  private static Weir node(String own, RedisServer store, String other, RedisServer otherStore) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", own);
    settings.put("weir.store", store.url());
    settings.put("weir.store.timeout", "5s");
    settings.put("weir.region." + other + ".store", otherStore.url());
    settings.put("weir.region." + other + ".store.timeout", "10s");
    settings.put("weir.secret", "a secret of all regions");
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  @Test
  void aHundredNodesReportOfTenThousandCallers() {
    try (Weir marks = node("us", us, "eu", eu)) {
      Await.until("us has marked its store", () -> us.ask("EXISTS", "weir:mark").equals("1"));
      assertTrue(marks.regions().size() > 1);
    }
    for (int i = 0; i < NODES; i++) {
      nodes.add(node("eu", eu, "us", us));
    }
    Await.until("all report", () -> nodes.stream().allMatch(RegionsTrafficTest::reports));
    System.out.printf(
        Locale.ROOT,
        "%d nodes, %,d callers, to one other region in a second:%n"
            + "%-34s %8s %11s %8s %8s %9s %9s %6s%n",
        NODES,
        CALLERS,
        "requests",
        "decided",
        "connections",
        "batches",
        "charges",
        "bytes to",
        "and back",
        "CPU");
    Random random = new Random(1);
    long idle = measure("none", 0, any -> 0).bytes;
    Sample own = measure("1 a caller, each at its own node", 1, caller -> caller % NODES);
    Sample any = measure("1 a caller, at any node", 1, caller -> random.nextInt(NODES));
    for (Sample each : List.of(own, any)) {
      long bytes = (each.bytes - idle) / Math.max(1, each.charges);
      assertTrue(bytes <= MOST_BYTES, bytes + " bytes a charge");
    }
  }

  private static boolean reports(Weir node) {
    return node.regions().get(1).reported().isPresent();
  }

  /** Figures of a second. */
  private record Sample(long bytes, long charges) {}

  private Sample measure(String name, int perCaller, IntUnaryOperator nodeOf) {
    run(SECONDS / 2, perCaller, nodeOf);
    String before = us.ask("INFO", "everything");
    long begin = clock.nanoTime();
    long decided = run(SECONDS, perCaller, nodeOf);
    String after = us.ask("INFO", "everything");
    double seconds = (clock.nanoTime() - begin) / (double) SECOND;
    Rate rate = field -> (number(after, field) - number(before, field)) / seconds;
    double sent = rate.of("total_net_input_bytes");
    double batches =
        rate.of("keyspace_misses"); // a batch asks for the time of a key that isn't there
    double charges = rate.of("keyspace_hits"); // of buckets that are charged each second, and signs
    System.out.printf(
        Locale.ROOT,
        "%-34s %,8.0f %,11.0f %,8.0f %,8.0f %,9.0f %,9.0f %5.1f%%%n",
        name,
        decided / seconds,
        number(after, "connected_clients") - 1, // the one that asks
        batches,
        charges,
        sent,
        rate.of("total_net_output_bytes"),
        100 * (rate.of("used_cpu_user") + rate.of("used_cpu_sys")));
    return new Sample((long) sent, (long) charges);
  }

  private interface Rate {
    double of(String field);
  }

  private static double number(String info, String field) {
    Matcher found = Pattern.compile("(?m)^" + field + ":(?:calls=)?([0-9.]+)").matcher(info);
    return found.find() ? Double.parseDouble(found.group(1)) : 0;
  }

  /** Asks at an even pace for so many seconds; returns the number of decisions. */
  private long run(int seconds, int perCaller, IntUnaryOperator nodeOf) {
    AtomicLong decided = new AtomicLong();
    Semaphore waiting = new Semaphore(MOST_WAITING);
    int eachTick = REQUESTS_PER_SECOND * perCaller / TICKS_PER_SECOND;
    long begin = clock.nanoTime();
    int caller = 0;
    for (int tick = 1; tick <= seconds * TICKS_PER_SECOND; tick++) {
      for (int i = 0; i < eachTick; i++) {
        caller = (caller + 1) % CALLERS;
        waiting.acquireUninterruptibly(); // a slow machine asks less, and prints how much
        nodes
            .get(nodeOf.applyAsInt(caller))
            .limiter()
            .tryAcquireAsync(callers.get(caller))
            .thenRun(
                () -> {
                  decided.incrementAndGet();
                  waiting.release();
                });
      }
      long due = begin + tick * SECOND / TICKS_PER_SECOND;
      while (clock.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - clock.nanoTime());
      }
    }
    return decided.get();
  }
}
