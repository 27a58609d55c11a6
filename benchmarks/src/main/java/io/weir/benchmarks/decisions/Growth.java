package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.decisions.Jmh.Case;
import io.weir.benchmarks.decisions.Jmh.Outcome;
import io.weir.benchmarks.decisions.cases.Keyed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures how the cost of a decision depends on the number of policies that decide a request, and
 * on the number of callers that have a lease.
 *
 * @param effort how long
 * @param jmh what runs it
 * @param report receives the figures
 */
record Growth(Effort effort, Jmh jmh, Report report) {
  private static final int HUGE = 7;
  private static final String NOT_MEASURED = "—";

  void run() throws RunnerException {
    List<Case> policies = Stream.of(1, 2, 4, 8).map(this::policies).toList();
    int most = effort.of(2, 5, 7);
    jmh.rounds(1, policies);
    List<List<String>> rows = new ArrayList<>();
    for (int exponent = 2; exponent <= most; exponent++) {
      rows.add(row(exponent));
    }
    report.table(
        new Table(
            "Decisions by the number of policies on a method: 1,000 callers",
            List.of("policies", "requests a second", "ns", "ns a policy", "B"),
            IntStream.range(0, policies.size())
                .mapToObj(i -> row(policies.get(i), 1 << i))
                .toList()));
    report.table(
        new Table(
            "Decisions by the number of callers with a lease",
            List.of("callers", "decisions a second", "ns", "floor, ns"),
            rows));
  }

  private List<String> row(int exponent) {
    Optional<Double> onLease = nanos("weir", exponent);
    Optional<Double> floor = exponent < HUGE ? nanos("floor", exponent) : Optional.empty();
    return List.of(
        String.format(Locale.ROOT, "%,d", power(exponent)),
        onLease.map(Growth::perSecond).orElse(NOT_MEASURED),
        onLease.map(Growth::whole).orElse(NOT_MEASURED),
        floor.map(Growth::whole).orElse(NOT_MEASURED));
  }

  /** Measures one number of callers; empty if this machine has too little memory. */
  private Optional<Double> nanos(String method, int exponent) {
    Case which = callers(method, exponent);
    try {
      jmh.rounds(1, List.of(which));
      return Optional.of(jmh.nanos(which).median());
    } catch (RunnerException tooMany) {
      report.progress(which + " wasn't measured: " + tooMany);
      return Optional.empty();
    }
  }

  private List<String> row(Case which, int policies) {
    double nanos = jmh.nanos(which).median();
    double bytes = jmh.samples(which, Outcome::bytes).median();
    return List.of(
        "" + policies, perSecond(nanos), whole(nanos), whole(nanos / policies), whole(bytes));
  }

  private static String perSecond(double nanos) {
    return String.format(Locale.ROOT, "%,.0f", Jmh.THREADS * 1e9 / nanos);
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  private Case policies(int number) {
    String callers = effort == Effort.TINY ? "10" : "1000";
    return new Case(Keyed.class, "several", Map.of("keys", callers, "policies", "" + number));
  }

  // A flush looks at everybody: with that many, one a second would be most of what is measured.
  private static Case callers(String method, int exponent) {
    Map<String, String> params = new HashMap<>(Map.of("keys", "" + power(exponent)));
    if (method.equals("weir")) {
      params.putAll(Map.of("store", "granting", "flushMillis", exponent < HUGE ? "1000" : "10000"));
    }
    return new Case(Keyed.class, method, params, heap(exponent));
  }

  private static List<String> heap(int exponent) {
    // All that is made stays: that is the old generation's room, and the young one is small.
    boolean huge = exponent == HUGE;
    return huge ? List.of("-XX:+UseParallelGC", "-Xms15g", "-Xmx15g", "-Xmn1g") : List.of();
  }

  private static int power(int exponent) {
    return IntStream.range(0, exponent).reduce(1, (product, i) -> product * 10);
  }
}
