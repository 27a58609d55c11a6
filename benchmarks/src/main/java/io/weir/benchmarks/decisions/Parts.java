package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.decisions.Jmh.Case;
import io.weir.benchmarks.decisions.Jmh.Outcome;
import io.weir.benchmarks.decisions.cases.Annotated;
import io.weir.benchmarks.decisions.cases.Keyed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures a request that passes an annotated method, step by step. Each step is measured together
 * with all before; its cost is the difference.
 *
 * @param effort how long
 * @param jmh what runs it
 * @param report receives the figures
 */
record Parts(Effort effort, Jmh jmh, Report report) {
  private Case byHand() {
    return new Case(Keyed.class, "weir", Map.of("keys", callers()));
  }

  private Case annotated(String method, boolean tiers) {
    return new Case(
        Annotated.class, method, Map.of("keys", callers(), "tiers", Boolean.toString(tiers)));
  }

  private String callers() {
    return effort == Effort.TINY ? "10" : "1000";
  }

  static List<String> figures() {
    List<String> names = new ArrayList<>(List.of("decisions.annotated.ns"));
    for (String part : List.of("decision", "metrics", "key", "guard", "tier", "headers")) {
      names.add("decisions.annotated." + part + "_ns");
    }
    names.add("decisions.annotated.bytes");
    return names;
  }

  void run() throws RunnerException {
    Case told = annotated("told", true);
    List<Case> steps = new ArrayList<>(List.of(byHand(), annotated("counted", false)));
    steps.addAll(List.of(annotated("key", false), annotated("guarded", false)));
    steps.addAll(List.of(annotated("guarded", true), told));
    jmh.rounds(1, steps);
    Samples whole = jmh.nanos(told);
    report.figure("decisions.annotated.ns", whole, "ns");
    Map<String, Samples> parts = parts();
    parts.forEach((part, ns) -> report.figure("decisions.annotated." + part + "_ns", ns, "ns"));
    report.figure("decisions.annotated.bytes", jmh.samples(told, Outcome::bytes), "B");
    List<List<String>> rows = new ArrayList<>();
    parts.forEach(
        (part, ns) ->
            rows.add(List.of(part, share(ns, 1, "%.0f"), share(ns, whole.median(), "%.2f"))));
    report.table(
        new Table(
            "A request that passes an annotated method (decisions.annotated.ns), part by part",
            List.of("part", "ns", "of the whole"),
            rows));
  }

  private static String share(Samples part, double whole, String form) {
    return String.format(Locale.ROOT, form, part.median() / whole);
  }

  private Map<String, Samples> parts() {
    Samples decision = jmh.nanos(byHand());
    Samples counted = jmh.nanos(annotated("counted", false));
    Samples key = jmh.nanos(annotated("key", false));
    Samples guarded = jmh.nanos(annotated("guarded", false));
    Samples tiered = jmh.nanos(annotated("guarded", true));
    Map<String, Samples> parts = new LinkedHashMap<>();
    parts.put("decision", decision);
    parts.put("metrics", counted.minus(decision));
    parts.put("key", key);
    parts.put("guard", guarded.minus(counted).minus(key));
    parts.put("tier", tiered.minus(guarded));
    parts.put("headers", jmh.nanos(annotated("told", true)).minus(tiered));
    return parts;
  }
}
