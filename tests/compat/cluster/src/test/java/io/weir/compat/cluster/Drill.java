package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.fault.Hiccups;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Three nodes under load while something happens to their store, and what must be true of it
 * whatever that was.
 *
 * <p>Confine to one thread.
 */
final class Drill {
  /** Less than is asked for. In shorter windows grants would end before a busy machine has them. */
  private static final Terms LOAD = new Terms("load", Algorithm.SLIDING_WINDOW, 400, 2_000);

  private static final Terms AFTER = new Terms("after", Algorithm.SLIDING_WINDOW, 200, 3_600_000);
  private static final int KEYS = 6;
  private static final int THREADS = 3;
  private static final int PAUSE_MICROS = 3_000;
  private static final long BEFORE_MILLIS = 500;
  private static final long EXACT_AGAIN_MILLIS = 1_000;
  private static final long A_WHILE_NANOS = 500_000_000;
  private static final long AFTER_MILLIS = 1_300;

  /** A decision goes through so many hands at most, each of which the machine may keep waiting. */
  private static final int HANDS = 10;

  /** Long enough that a busy machine is no outage. */
  private static final String TIMEOUT = "400ms";

  /** Only what hangs takes so long. */
  private static final long STUCK_MICROS = 20_000_000;

  /** The line that a node logs once in an outage. */
  private static final String AWAY = "The store can't be reached";

  private final String name;
  private final Nodes nodes;
  private final long loggedBefore;
  private long from;
  private long to;
  private long lateBefore;
  private long again;
  private long exactFrom;
  private Report all = new Report(List.of(), List.of(), 0);

  private Drill(String name, Nodes nodes) {
    this.name = name;
    this.nodes = nodes;
    this.loggedBefore = logged();
  }

  /** Causes the fault, and returns when it has ended. */
  interface Fault {
    void happen() throws Exception;
  }

  /** Runs nodes on a store through a fault, and checks what no fault may break. */
  static Drill run(String name, String store, Fault fault) throws Exception {
    return run(name, store, TIMEOUT, fault);
  }

  /** As {@link #run(String, String, Fault)}, with another time that a decision may wait. */
  static Drill run(String name, String store, String timeout, Fault fault) throws Exception {
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.prefix", RedisServer.prefix());
    settings.put("weir.store.nodes", "" + Nodes.COUNT);
    settings.put("weir.store.timeout", timeout);
    Drill drill = new Drill(name, Nodes.on(store, settings));
    drill.run(fault);
    drill.check();
    return drill;
  }

  private void run(Fault fault) throws Exception {
    nodes.burst(AFTER, "warm", 1_000, THREADS);
    nodes.start(LOAD, "caller", KEYS, THREADS, PAUSE_MICROS);
    Pause.millis(BEFORE_MILLIS);
    from = Pause.now();
    try (Hiccups hiccups = new Hiccups()) {
      fault.happen();
      to = Pause.now();
      lateBefore = hiccups.lateNanos();
      checkBurst(burstAfter(hiccups));
      Pause.millis(AFTER_MILLIS);
      exactFrom = Math.max(again, dueExact(hiccups));
    } finally {
      all = nodes.stop();
    }
    nodes.close();
    System.out.println(this);
  }

  /** A burst a second after the fault; again, if it wasn't exact and the machine was late. */
  private Report burstAfter(Hiccups hiccups) throws Exception {
    Pause.millis(EXACT_AGAIN_MILLIS);
    for (int number = 1; ; number++) {
      again = Pause.now();
      long due = dueExact(hiccups);
      Report burst = nodes.burst(AFTER, "fresh" + number, 1_000, THREADS);
      if (burst.degraded().count() == 0 || again > due) {
        return burst;
      }
    }
  }

  /** A second after the fault, and as much later as the machine was late since. */
  private long dueExact(Hiccups hiccups) {
    long late = HANDS * (hiccups.lateNanos() - lateBefore);
    return to + EXACT_AGAIN_MILLIS * 1_000_000 + late;
  }

  private void checkBurst(Report burst) {
    assertEquals(List.of(), burst.errors(), name);
    assertEquals(0, burst.degraded().count(), name + ": degraded after the fault");
    assertEquals(AFTER.limit(), burst.admitted().count(), name + ": exact after the fault");
  }

  private void check() {
    assertEquals(List.of(), all.errors(), name);
    assertEquals(0, all.stuck(), name + ": stuck threads");
    assertTrue(all.worstMicros() < STUCK_MICROS, this::toString);
    Report meanwhile = all.during(from, Math.max(to, from + A_WHILE_NANOS));
    assertEquals(Nodes.COUNT * THREADS, meanwhile.threads().size(), name + ": all went on");
    assertEquals(Nodes.COUNT * THREADS, all.since(again).threads().size(), name + ": all alive");
    Report after = all.since(exactFrom);
    Report late = after.degraded();
    assertEquals(0, late.count(), () -> name + ": still degraded: " + late.samples() + " " + to);
    assertTrue(calm().count() > 0, name + ": nothing before");
    checkBounds(calm(), 0, "before");
    checkBounds(after, 0, "after");
    checkBounds(all.degraded(), 0, "the nodes' own shares");
  }

  private void checkBounds(Report report, long most, String when) {
    for (int key = 0; key < KEYS; key++) {
      long excess = Bounds.excess(report.ofKey(key), LOAD);
      assertTrue(excess <= most, name + ", " + when + ": " + excess + " beyond the limit");
    }
  }

  private Report calm() {
    return all.between(Long.MIN_VALUE, from);
  }

  /** The requests in flight while the fault lasted. */
  Report during() {
    return all.during(from, to);
  }

  /** Checks that nothing was forgotten: what the store granted all the time keeps to the limit. */
  Drill lostNothing() {
    checkBounds(all.exact(), 0, "throughout");
    return this;
  }

  /** Checks that a store which forgot everything once let the limit pass once more and no more. */
  Drill forgotOnce() {
    checkBounds(all.exact(), LOAD.limit(), "throughout");
    return this;
  }

  /** Checks that some decisions had to be made without the store. */
  Drill cutOff() {
    int degraded = during().degraded().count();
    assertTrue(degraded >= Nodes.COUNT * THREADS, name + ": hardly anybody noticed: " + degraded);
    long lines = logged() - loggedBefore;
    assertTrue(lines > 0 && lines <= 2 * Nodes.COUNT, name + ": " + lines + " lines in the log");
    return this;
  }

  /** Checks that those whose part of the store was well went on as ever. */
  Drill onlySomeKeys() {
    long cutOff =
        IntStream.range(0, KEYS).filter(key -> all.degraded().ofKey(key).count() > 0).count();
    assertTrue(cutOff < KEYS, name + ": all keys were cut off");
    return this;
  }

  private long logged() {
    return nodes.log().lines().filter(each -> each.contains(AWAY)).count();
  }

  /** Checks that no decision had to be made without the store. */
  Drill unnoticed() {
    assertEquals(0, all.degraded().count(), name + ": degraded");
    return this;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: %d ms, %d decisions in it, %d degraded; median %d → %d µs, worst %d → %d µs",
        name,
        (to - from) / 1_000_000,
        during().count(),
        during().degraded().count(),
        calm().medianMicros(),
        during().medianMicros(),
        calm().worstMicros(),
        during().worstMicros());
  }
}
