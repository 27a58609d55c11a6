package io.weir.compat.redis.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Two nodes and callers who never stop asking, while something happens to the store; and what must
 * be true of their decisions, whatever that was.
 *
 * <p>Callers come one after the other, each for a while at both nodes at once, so that there is
 * always something to ask the store. Confine to one thread.
 */
public final class Trial implements AutoCloseable {
  private static final int NODES = Pair.NODES;
  private static final int THREADS = 2;
  private static final long LIMIT = 40;
  private static final int ASKS_OF_A_CALLER = 60;
  private static final long PAUSE_NANOS = 500_000;
  private static final long BEFORE_NANOS = 50_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long STUCK_NANOS = 60 * SECOND_NANOS;

  /** A decision goes through so many hands at most, each of which the machine may keep waiting. */
  private static final int HANDS = 10;

  /** So many fresh callers in a row are of all parts of a store. */
  private static final int MANY = 24;

  /** The questions, one after the other, that it takes to see that a store is exact again. */
  private static final long TO_SEE = MANY * NODES + 2 * LIMIT;

  /** In a window that doesn't end while tests run. */
  public static final Policy POLICY =
      Policy.builder("p")
          .algorithm(Algorithm.FIXED_WINDOW)
          .limit(LIMIT)
          .window(Duration.ofDays(366))
          .build();

  private final Pair nodes;
  private final String name;
  private final long roundTripNanos;
  private final Hiccups hiccups = new Hiccups();
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger fresh = new AtomicInteger();
  private final AtomicInteger degraded = new AtomicInteger();
  private volatile boolean over;
  private long from;
  private long healed;
  private long again;

  private record Sample(int node, String caller, Decision decision, long asked, long answered) {
    boolean admitted(boolean degraded) {
      return decision.admitted() && decision.degraded() == degraded;
    }
  }

  /** The printed result. */
  public record Outcome(
      long decisions, long fell, long degraded, long worstMillis, long againMillis) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%5d decisions, %5d in it, %5d degraded; the longest %4d ms, exact after %4d ms",
          decisions,
          fell,
          degraded,
          worstMillis,
          againMillis);
    }
  }

  /** A trial of nodes whose callers have a name that no other trial uses. */
  public Trial(Pair nodes, String name) {
    this(nodes, name, Duration.ZERO);
  }

  /** The same with a store so far away: it takes longer to see that it is exact again. */
  public Trial(Pair nodes, String name, Duration roundTrip) {
    this.nodes = nodes;
    this.name = name;
    this.roundTripNanos = roundTrip.toNanos();
  }

  /** Lets the callers ask, once both nodes are answered. */
  public void begin() {
    long until = now() + STUCK_NANOS;
    while (!well() && now() < until) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    for (int i = 0; i < NODES * THREADS; i++) {
      int node = i % NODES;
      Thread thread = new Thread(() -> askOnAndOn(node), "caller-" + i);
      threads.add(thread);
      thread.start();
    }
    LockSupport.parkNanos(BEFORE_NANOS);
    from = now();
  }

  private void askOnAndOn(int node) {
    try {
      while (!over) {
        ask(node, "c" + next.getAndIncrement() / ASKS_OF_A_CALLER);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (RuntimeException | Error e) {
      thrown.add(e);
    }
  }

  private Decision ask(int node, String caller) {
    long asked = now();
    Decision decision = nodes.ask(node, POLICY, name + caller);
    samples.add(new Sample(node, caller, decision, asked, now()));
    degraded.addAndGet(decision.degraded() ? 1 : 0);
    return decision;
  }

  private String freshCaller() {
    return "f" + fresh.incrementAndGet();
  }

  /** Waits until so many decisions were made, perhaps without the store, and it has happened. */
  public void await(int count, boolean withoutStore, BooleanSupplier happened) {
    int before = samples.size();
    long until = now() + STUCK_NANOS;
    while (now() < until
        && !(happened.getAsBoolean()
            && (withoutStore ? degraded.get() : samples.size() - before) >= count)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Notes that all is well again, and sees that it is exact within a second in which nothing waits
   * for a processor.
   */
  public void heal() {
    healed = now();
    long lateBefore = hiccups.lateNanos();
    long waitedBefore = ProcessorPressure.nanos();
    while (!exact()) {
      long late =
          HANDS * (hiccups.lateNanos() - lateBefore) + ProcessorPressure.nanos() - waitedBefore;
      late += 2 * TO_SEE * roundTripNanos;
      assertTrue(now() < healed + SECOND_NANOS + late, "degraded, a second after");
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    again = now();
  }

  /** Returns whether all goes by the store, and is exact then. */
  private boolean exact() {
    if (!well()) {
      return false;
    }
    String caller = freshCaller();
    long admitted = 0;
    for (int i = 0; i < 2 * LIMIT; i++) {
      Decision decision = ask(i % NODES, caller);
      if (decision.degraded()) {
        return false;
      }
      admitted += decision.admitted() ? 1 : 0;
    }
    assertEquals(LIMIT, admitted, "exact again");
    return true;
  }

  private boolean well() {
    for (int i = 0; i < MANY * NODES; i++) {
      if (ask(i % NODES, freshCaller()).degraded()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Ends the load and checks what no fault may break, nor a store that has forgotten: both nodes
   * are there to report it again.
   */
  public void end() {
    over = true;
    threads.forEach(Trial::join);
    assertEquals(List.of(), List.copyOf(thrown), "what callers saw");
    assertEquals(List.of(), threads.stream().filter(Thread::isAlive).toList(), "hanging threads");
    long longest = Pair.TIMEOUT_NANOS + SECOND_NANOS + HANDS * hiccups.worstNanos();
    assertTrue(worst() <= longest, "a decision took " + worst() + " of " + longest + " ns");
    checkBounds();
  }

  private void checkBounds() {
    admitted(samples.stream().filter(each -> each.admitted(false)).toList())
        .forEach((caller, count) -> assertTrue(count <= LIMIT, caller + " got " + count));
    samples.stream()
        .filter(each -> each.decision().admitted())
        .collect(Collectors.groupingBy(each -> each.node() + " of " + each.caller()))
        .forEach(Trial::checkShare);
  }

  // What a node has been granted counts towards the share that it admits by itself.
  private static void checkShare(String which, List<Sample> admitted) {
    for (Sample each : admitted) {
      long before =
          admitted.stream()
              .filter(other -> other.answered() <= each.asked())
              .filter(other -> each.decision().degraded())
              .count();
      assertTrue(before < LIMIT / NODES, which + " got " + before + " before it was degraded");
    }
  }

  private static Map<String, Long> admitted(List<Sample> samples) {
    return samples.stream().collect(Collectors.groupingBy(Sample::caller, Collectors.counting()));
  }

  private static void join(Thread thread) {
    try {
      thread.join(STUCK_NANOS / 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the number of decisions made without the store. */
  public long degraded() {
    return degraded.get();
  }

  private long worst() {
    return samples.stream().mapToLong(each -> each.answered() - each.asked()).max().orElse(0);
  }

  /** Returns the figures to print. */
  public Outcome outcome() {
    long fell =
        samples.stream().filter(each -> each.answered() >= from && each.asked() < healed).count();
    long millis = SECOND_NANOS / 1_000;
    return new Outcome(
        samples.size(), fell, degraded(), worst() / millis, (again - healed) / millis);
  }

  private static long now() {
    return Ticker.system().nanoTime();
  }

  @Override
  public void close() {
    over = true;
    threads.forEach(Trial::join);
    hiccups.close();
  }
}
