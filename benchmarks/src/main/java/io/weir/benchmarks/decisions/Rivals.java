package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.decisions.Jmh.Case;
import io.weir.benchmarks.decisions.Jmh.Outcome;
import io.weir.benchmarks.decisions.cases.Keyed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * A decision beside those of limiters in memory: about one caller, whom all threads ask about, and
 * about 100,000.
 *
 * @param effort how long
 * @param jmh what runs it
 * @param report receives the figures
 */
record Rivals(Effort effort, Jmh jmh, Report report) {
  private static final String ONE = "1key";
  private static final String MANY = "100000keys";
  private static final List<String> FIRST = List.of("weir", "bucket4j", "floor", "inprocess");
  private static final List<String> OTHERS = List.of("resilience4j", "guava", "sentinel");
  private static final List<String> MADE = List.of("madeWeir", "madeBucket4j");

  static List<String> figures() {
    List<String> names = new ArrayList<>();
    for (String callers : List.of(ONE, MANY)) {
      Stream.concat(FIRST.stream(), OTHERS.stream())
          .forEach(rival -> names.add(name(callers, rival + "_ns")));
      names.add(name(callers, "vs_bucket4j"));
      names.add(name(callers, "vs_floor"));
      names.add(name(callers, "weir_cpu_ns"));
      names.add(name(callers, "inprocess.vs_bucket4j"));
    }
    names.add(name(MANY, "exchanges_per_decision"));
    names.add(name(MANY, "made.weir_ns"));
    names.add(name(MANY, "made.vs_bucket4j"));
    names.add(name(MANY, "flush100ms.weir_ns"));
    names.addAll(List.of("decisions.bytes", "decisions.bucket4j.bytes"));
    names.addAll(List.of("decisions.refused_ns", "decisions.refused.vs_admitted"));
    names.addAll(List.of("decisions.inprocess.vs_bucket4j", "decisions.clock_ns"));
    return names;
  }

  private static String name(String callers, String what) {
    return "decisions." + callers + "." + what;
  }

  void run() throws RunnerException {
    jmh.rounds(effort.of(1, 2, 3), mainCases());
    jmh.rounds(1, otherCases());
    tell(ONE);
    tell(MANY);
    tellRest();
  }

  private List<Case> mainCases() {
    List<Case> cases = new ArrayList<>();
    for (String callers : List.of(ONE, MANY)) {
      FIRST.forEach(rival -> cases.add(about(callers, rival)));
    }
    cases.add(2, refused()); // next to what it is compared with
    return cases;
  }

  private List<Case> otherCases() {
    List<Case> cases = new ArrayList<>();
    OTHERS.forEach(rival -> cases.add(about(ONE, rival)));
    OTHERS.forEach(rival -> cases.add(about(MANY, rival)));
    MADE.forEach(rival -> cases.add(about(MANY, rival)));
    cases.add(flushedOften());
    cases.add(about(ONE, "clock"));
    return cases;
  }

  private void tell(String callers) {
    for (String rival : FIRST) {
      report.figure(name(callers, rival + "_ns"), jmh.nanos(about(callers, rival)), "ns");
    }
    for (String rival : OTHERS) {
      report.figure(name(callers, rival + "_ns"), jmh.nanos(about(callers, rival)), "ns");
    }
    Case weir = about(callers, "weir");
    Samples bucket4j = jmh.nanos(about(callers, "bucket4j"));
    Samples inprocess = jmh.nanos(about(callers, "inprocess"));
    report.figure(name(callers, "vs_bucket4j"), bucket4j.over(jmh.nanos(weir)), "x");
    report.figure(
        name(callers, "vs_floor"), jmh.nanos(weir).over(jmh.nanos(about(callers, "floor"))), "x");
    report.figure(name(callers, "weir_cpu_ns"), jmh.samples(weir, Outcome::cpuNanos), "ns");
    report.figure(name(callers, "inprocess.vs_bucket4j"), bucket4j.over(inprocess), "x");
  }

  private void tellRest() {
    Case weir = about(ONE, "weir");
    Case many = about(MANY, "weir");
    Case bucket4j = about(ONE, "bucket4j");
    report.figure(name(MANY, "exchanges_per_decision"), jmh.samples(many, Outcome::exchanges), "x");
    Samples made = jmh.nanos(about(MANY, "madeWeir"));
    report.figure(name(MANY, "made.weir_ns"), made, "ns");
    report.figure(
        name(MANY, "made.vs_bucket4j"), jmh.nanos(about(MANY, "madeBucket4j")).over(made), "x");
    report.figure(name(MANY, "flush100ms.weir_ns"), jmh.nanos(flushedOften()), "ns");
    report.figure("decisions.bytes", jmh.samples(weir, Outcome::bytes), "B");
    report.figure("decisions.bucket4j.bytes", jmh.samples(bucket4j, Outcome::bytes), "B");
    report.figure("decisions.refused_ns", jmh.nanos(refused()), "ns");
    report.figure("decisions.refused.vs_admitted", jmh.nanos(refused()).over(jmh.nanos(weir)), "x");
    report.figure("decisions.inprocess.vs_bucket4j", worst(), "x");
    report.figure("decisions.clock_ns", jmh.nanos(about(ONE, "clock")), "ns");
  }

  /** Returns the less favourable of one caller and many. */
  private Samples worst() {
    Samples one = jmh.nanos(about(ONE, "bucket4j")).over(jmh.nanos(about(ONE, "inprocess")));
    Samples many = jmh.nanos(about(MANY, "bucket4j")).over(jmh.nanos(about(MANY, "inprocess")));
    return one.median() < many.median() ? one : many;
  }

  private Case refused() {
    return with(about(ONE, "refused"), "limit", "1");
  }

  private Case flushedOften() {
    return with(about(MANY, "weir"), "flushMillis", "100");
  }

  private static Case with(Case which, String name, String value) {
    Map<String, String> params = new HashMap<>(which.params());
    params.put(name, value);
    return new Case(which.type(), which.method(), params);
  }

  // Where figures say nothing, fewer callers will do.
  private Case about(String callers, String rival) {
    String many = effort == Effort.TINY ? "100" : "100000";
    return new Case(Keyed.class, rival, Map.of("keys", callers.equals(ONE) ? "1" : many));
  }
}
