package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Suite;
import io.weir.benchmarks.decisions.Jmh.Case;
import io.weir.benchmarks.decisions.Jmh.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The suite {@code decisions}. */
public final class Decisions implements Suite {
  private static final String MANY = "100000";
  private static final List<String> SIZES = List.of("1", MANY);
  private static final List<String> RIVALS = List.of("weir", "bucket4j", "floor");

  /** Nothing is measured yet. */
  public Decisions() {}

  @Override
  public String name() {
    return "decisions";
  }

  @Override
  public String about() {
    return "What one decision costs on the node, from a lease in the cache, beside limiters in memory.";
  }

  @Override
  public List<String> figures() {
    List<String> names = new ArrayList<>();
    for (String keys : SIZES) {
      RIVALS.forEach(
          rival -> names.add("decisions." + keys + "key" + plural(keys) + "." + rival + "_ns"));
      names.add("decisions." + keys + "key" + plural(keys) + ".vs_bucket4j");
      names.add("decisions." + keys + "key" + plural(keys) + ".vs_floor");
    }
    names.add("decisions.bytes");
    return names;
  }

  private static String plural(String keys) {
    return keys.equals("1") ? "" : "s";
  }

  @Override
  public void run(Effort effort, Report report) throws Exception {
    System.setProperty("jmh.ignoreLock", "true");
    List<Case> cases = new ArrayList<>();
    for (String keys : SIZES) {
      RIVALS.forEach(rival -> cases.add(keyed(effort, rival, keys)));
    }
    Map<Case, List<Outcome>> all = new Jmh(effort, report).rounds(effort.of(1, 2, 3), cases);
    for (String keys : SIZES) {
      String head = "decisions." + keys + "key" + plural(keys) + ".";
      for (String rival : RIVALS) {
        report.figure(head + rival + "_ns", nanos(all, keyed(effort, rival, keys)), "ns");
      }
      Samples weir = nanos(all, keyed(effort, "weir", keys));
      report.figure(
          head + "vs_bucket4j", nanos(all, keyed(effort, "bucket4j", keys)).over(weir), "x");
      report.figure(head + "vs_floor", weir.over(nanos(all, keyed(effort, "floor", keys))), "x");
    }
    report.figure("decisions.bytes", samples(all, keyed(effort, "weir", "1"), Outcome::bytes), "B");
  }

  // Where figures say nothing, all is done with fewer callers.
  private static Case keyed(Effort effort, String rival, String keys) {
    String callers = effort == Effort.TINY && keys.equals(MANY) ? "1000" : keys;
    return new Case(Keyed.class, rival, Map.of("keys", callers));
  }

  private static Samples nanos(Map<Case, List<Outcome>> all, Case which) {
    return samples(all, which, Outcome::nanos);
  }

  private static Samples samples(
      Map<Case, List<Outcome>> all, Case which, ToDoubleFunction<Outcome> what) {
    return Samples.of(all.getOrDefault(which, List.of()).stream().mapToDouble(what).toArray());
  }
}
