package io.weir.benchmarks.day;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A large API: many users who come for a visit, two limits on each request, four nodes. */
public final class DaySuite implements BenchmarkSuite {
  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.9;
  private static final List<String> OF_WHOLE_VISITS =
      List.of("day.without_io", "day.random.without_io", "day.overshoot", "day.at_the_limit");

  /** Makes it. */
  public DaySuite() {}

  @Override
  public String name() {
    return "day";
  }

  @Override
  public String about() {
    return "Ten million users in visits of 5 to 30 requests, one to three seconds apart, with 100"
        + " permits a minute and 1,000 an hour, on four nodes over one Redis: Weir, a script for"
        + " each request and Bucket4j at the same rates. And what a user takes of memory.";
  }

  @Override
  public List<String> figures() {
    List<String> all = new ArrayList<>(List.of("day.rate", "day.added_p99"));
    all.addAll(OF_WHOLE_VISITS);
    for (Algorithm algorithm : Algorithm.values()) {
      all.add(Footprint.inRedis(algorithm));
      all.add(Footprint.inProcess(algorithm));
    }
    return all;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    report.setting("nodes", Nodes.COUNT + " in one JVM, each with connections of its own");
    report.setting("threads", VisitLoad.THREADS + ", which send at times that are set beforehand");
    report.setting("times", "from when a request was due until it was decided");
    new Run(effort, report).run();
    Footprint.run(effort, report);
  }

  /** One run of the load's part. */
  private static final class Run {
    private final Effort effort;
    private final Report report;
    private final List<List<String>> rows = new ArrayList<>();
    private Overshoot worst = new Overshoot(0, 0);
    private double rate;

    Run(Effort effort, Report report) {
      this.effort = effort;
      this.report = report;
    }

    void run() throws InterruptedException {
      double ceiling = new Ceiling(effort, report).find(effort.of(1_000, 3_000, 6_000));
      report.setting(
          "the script's highest rate with a p99 below 5 ms",
          String.format(Locale.ROOT, "%,.0f a second", ceiling));
      atRate(HALF * ceiling);
      At full = atRate(NEARLY_ALL * ceiling);
      List<String> columns = new ArrayList<>(List.of("requests a second", "limiter", "balancer"));
      columns.addAll(Outcome.COLUMNS);
      report.table(
          new Table("What a decision takes, from when its request was due", columns, rows));
      report.figure("day.rate", rate, "per_s");
      tell(full);
    }

    private void tell(At full) {
      if (effort == Effort.QUICK) {
        for (String name : OF_WHOLE_VISITS) {
          report.untold(name, "visits last longer than the run");
        }
      } else {
        report.figure("day.without_io", full.sticky.withoutIo(), "percent");
        report.figure("day.random.without_io", full.random.withoutIo(), "percent");
        report.figure("day.overshoot", worst.percent(), "percent");
        report.figure("day.at_the_limit", worst.atTheLimit(), "users");
      }
      if (effort == Effort.FULL && !full.script.keptUp()) {
        report.meaningless("day.added_p99", "the machine got slower, the script couldn't keep up");
        return;
      }
      Samples sticky = full.sticky.micros(99).over(full.script.micros(99));
      Samples random = full.random.micros(99).over(full.script.micros(99));
      report.figure("day.added_p99", sticky.median() > random.median() ? sticky : random, "x");
    }

    private record At(Outcome script, Outcome random, Outcome sticky) {}

    private At atRate(double perSecond) throws InterruptedException {
      rate = perSecond;
      load("nothing", (port, threads) -> new NoLimit(), Balancer.RANDOM, 2_000);
      Outcome script = load("script", ScriptNodes::new, Balancer.RANDOM, 5_000);
      Outcome random = weir(Balancer.RANDOM);
      Outcome sticky = weir(Balancer.STICKY);
      load("Bucket4j", Bucket4jNodes::new, Balancer.RANDOM, 8_000);
      return new At(script, random, sticky);
    }

    /** Visits end before it counts that began before there were leases. */
    private Outcome weir(Balancer balancer) throws InterruptedException {
      Outcome outcome = load("Weir", (port, threads) -> new WeirNodes(port), balancer, 40_000);
      Overshoot overshoot = Overshoot.of(outcome.admissions());
      worst =
          new Overshoot(
              Math.max(worst.percent(), overshoot.percent()),
              worst.atTheLimit() + overshoot.atTheLimit());
      return outcome;
    }

    private Outcome load(String name, Nodes.Maker maker, Balancer balancer, int warmUpMillis)
        throws InterruptedException {
      int millis = effort.of(200, 700, 12_000);
      int warmUp = effort.of(100, 300, warmUpMillis);
      String what = name + " " + balancer + String.format(Locale.ROOT, " %,.0f", rate);
      report.progress(what + " a second for " + (warmUp + millis) + " ms");
      Outcome outcome = VisitLoad.run(maker, balancer, rate, warmUp, millis);
      List<String> row = new ArrayList<>();
      row.add(String.format(Locale.ROOT, "%,.0f", rate));
      row.add(name);
      row.add(balancer.name().toLowerCase(Locale.ROOT));
      row.addAll(outcome.cells());
      rows.add(row);
      return outcome;
    }
  }
}
