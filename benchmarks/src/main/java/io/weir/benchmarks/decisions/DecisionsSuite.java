package io.weir.benchmarks.decisions;

import io.weir.benchmarks.BenchmarkSuite;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.decisions.peers.CallerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The suite {@code decisions}. */
public final class DecisionsSuite implements BenchmarkSuite {
  /** Nothing is measured yet. */
  public DecisionsSuite() {}

  @Override
  public String name() {
    return "decisions";
  }

  @Override
  public String about() {
    return "One decision on the node that makes it, from a lease in the cache, beside limiters in"
        + " memory and the least there is to do.";
  }

  @Override
  public List<String> figures() {
    List<String> names = new ArrayList<>(Rivals.figures());
    names.addAll(Parts.figures());
    return names;
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    System.setProperty("jmh.ignoreLock", "true"); // another JMH is none of its business
    report.setting("threads", Jmh.THREADS);
    report.setting("times", "a decision on each thread, by JMH, a JVM for each case and round");
    report.setting(
        "limit", String.format(Locale.ROOT, "%,d a day, SLIDING_WINDOW", CallerNames.LIMIT));
    report.setting("caches", "bounded to 1,000,000 or more");
    report.setting("flush interval", "1 s");
    Jmh jmh = new Jmh(effort, report);
    new Rivals(effort, jmh, report).run();
    new Parts(effort, jmh, report).run();
    new Growth(effort, jmh, report).run();
  }
}
