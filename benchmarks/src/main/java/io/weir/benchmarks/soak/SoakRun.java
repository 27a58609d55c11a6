package io.weir.benchmarks.soak;

import io.weir.Ticker;
import io.weir.benchmarks.Child;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.fault.Mishap;
import io.weir.compat.redis.fault.ProxiedRedis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Runs the store and the nodes once, and observes them.
 *
 * <p>Confine to one thread.
 */
final class SoakRun implements AutoCloseable {
  private static final int NODES = 3;
  private static final long PATIENCE_MILLIS = 10_000;
  private static final double MEBI = 1 << 20;
  private static final List<String> COLUMNS =
      List.of(
          "period",
          "what goes wrong",
          "seen",
          "decisions",
          "degraded",
          "heap MiB",
          "threads",
          "Redis MiB",
          "keys");

  private final Plan plan;
  private final Report report;
  private final ProxiedRedis redis = ProxiedRedis.alone();
  private final List<Child> nodes = new ArrayList<>();
  private final PromiseOracle oracle = new PromiseOracle(NODES);
  private final Gauges gauges = new Gauges();
  private final List<List<String>> rows = new ArrayList<>();
  private NodeState state = new NodeState(0, 0, 0, 0, 0, 0);
  private int faults;
  private double minutes;

  SoakRun(long seed, long periodMillis, Report report) throws IOException {
    this.plan = new Plan(seed, periodMillis);
    this.report = report;
    String prefix = RedisServer.prefix();
    for (int i = 0; i < NODES; i++) {
      nodes.add(
          Child.start(
              List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
              SoakNode.class,
              redis.url(),
              prefix,
              "" + NODES,
              "" + (seed + 1_000L * i)));
    }
    collect("counts"); // answered once they run
  }

  void run(int periods) throws IOException {
    long began = nowMillis();
    for (int i = 1; i <= periods; i++) {
      period(i, began + (i - 1) * plan.periodMillis());
    }
    minutes = (nowMillis() - began) / 60_000.0;
    collect("counts");
    collect("stop");
  }

  private void period(int number, long began) throws IOException {
    Mishap mishap = plan.next();
    awaitTime(began + plan.beginsMillis());
    long seen = happen(mishap, plan.lastsMillis());
    faults += seen > 0 ? 1 : 0;
    report.progress("period " + number + ": " + mishap.title() + ", seen " + seen);
    awaitTime(began + plan.periodMillis());
    collect("counts");
    NodeState before = state;
    look();
    rows.add(row(number, mishap, seen, before));
  }

  private long happen(Mishap mishap, long millis) {
    long from = Ticker.system().epochMicros();
    long seen;
    try {
      mishap.begin(redis);
      awaitTime(nowMillis() + millis);
      awaitSeen(() -> mishap.seen(redis));
      seen = mishap.seen(redis);
    } finally {
      mishap.end(redis);
    }
    if (mishap.forgets()) {
      oracle.lost(from, Ticker.system().epochMicros());
    }
    return seen;
  }

  private static void awaitSeen(LongSupplier seen) {
    long until = nowMillis() + PATIENCE_MILLIS;
    while (seen.getAsLong() == 0 && nowMillis() < until) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void awaitTime(long millis) {
    for (long left = millis - nowMillis(); left > 0; left = millis - nowMillis()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
    }
  }

  private static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(Ticker.system().nanoTime());
  }

  /** Has all nodes report what they have counted. */
  private void collect(String question) throws IOException {
    nodes.forEach(each -> each.say(question));
    for (int i = 0; i < NODES; i++) {
      Child node = nodes.get(i);
      for (String line = node.hear(); !line.equals(SoakNode.END); line = node.hear()) {
        oracle.add(i, PermitCount.parse(line));
      }
    }
  }

  private void look() throws IOException {
    NodeState sum = new NodeState(0, 0, 0, 0, 0, 0);
    for (Child node : nodes) {
      sum = sum.plus(NodeState.parse(node.ask("state")));
    }
    state = sum;
    RedisServer server = redis.servers().get(0);
    gauges.look(sum, memory(server) / MEBI, Long.parseLong(server.ask("DBSIZE")));
  }

  private static double memory(RedisServer server) {
    String name = "used_memory:";
    return server
        .ask("INFO", "memory")
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length()).strip()))
        .sum();
  }

  private List<String> row(int number, Mishap mishap, long seen, NodeState before) {
    List<String> row = new ArrayList<>();
    row.add("" + number);
    row.add(mishap.title());
    row.add("" + seen);
    row.add("" + (state.decisions() - before.decisions()));
    row.add("" + (state.degraded() - before.degraded()));
    row.addAll(gauges.last());
    return row;
  }

  /** Reports the results, and fails if a promise was broken. */
  void tell() {
    PromiseOracle.Excess excess = oracle.worst();
    report.table(
        new Table("What went wrong, and how nodes and store were after it", COLUMNS, rows));
    report.setting("Slopes a period", gauges.slopes());
    report.figure("soak.minutes", minutes, "min");
    report.figure("soak.decisions", (double) state.decisions(), "decisions");
    report.figure("soak.faults", faults, "faults");
    report.figure("soak.overshoot", excess.beyond(), "percent");
    report.figure("soak.overshoot_after_loss", excess.afterLoss(), "percent");
    report.figure("soak.degraded", (double) state.degraded(), "decisions");
    report.figure("soak.failed", (double) state.failed(), "decisions");
    report.figure("soak.longest_wait", state.longestMicros() / 1_000.0, "ms");
    gauges.tell(report);
    List<String> broken = broken(excess);
    if (!broken.isEmpty()) {
      throw new IllegalStateException("promises were broken: " + broken);
    }
  }

  private List<String> broken(PromiseOracle.Excess excess) {
    List<String> broken = new ArrayList<>(gauges.growing());
    if (excess.beyond() > 0) {
      broken.add("beyond the limit");
    }
    if (excess.afterLoss() > 0) {
      broken.add("beyond the limit after a loss of data");
    }
    if (state.failed() > 0) {
      broken.add("a call threw something");
    }
    if (state.longestMicros() > PATIENCE_MILLIS * 1_000) {
      broken.add("a decision hung");
    }
    if (faults < rows.size()) {
      broken.add("what was to go wrong was never seen");
    }
    return broken;
  }

  @Override
  public void close() throws Exception {
    nodes.forEach(Child::close);
    redis.close();
  }
}
