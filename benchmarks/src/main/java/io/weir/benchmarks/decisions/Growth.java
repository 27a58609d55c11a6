package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Table;
import io.weir.benchmarks.decisions.Jmh.Case;
import io.weir.benchmarks.decisions.Jmh.Outcome;
import io.weir.benchmarks.decisions.cases.Keyed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * How the cost of a decision grows: with the policies that decide a request, and with the callers
 * that have a lease.
 *
 * @param effort how long
 * @param jmh what runs it
 * @param report what is told
 */
record Growth(Effort effort, Jmh jmh, Report report) {
  private static final int HUGE = 7;

  void run() throws RunnerException {
    List<Case> policies = Stream.of(1, 2, 4, 8).map(this::policies).toList();
    int most = effort.of(2, 5, 6);
    List<Case> callers = IntStream.rangeClosed(2, most).mapToObj(Growth::callers).toList();
    List<Case> floors = IntStream.rangeClosed(2, most).mapToObj(Growth::floor).toList();
    jmh.rounds(1, policies);
    jmh.rounds(1, callers);
    jmh.rounds(1, floors);
    boolean huge = effort == Effort.FULL && fits();
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
            rows(
                huge ? Stream.concat(callers.stream(), Stream.of(callers(HUGE))).toList() : callers,
                floors)));
  }

  /** Whether ten million could be measured too: they need eleven gigabytes. */
  private boolean fits() {
    try {
      jmh.rounds(1, List.of(callers(HUGE)));
      return true;
    } catch (RunnerException tooMany) {
      report.progress("10,000,000 callers weren't measured: " + tooMany);
      return false;
    }
  }

  private List<String> row(Case which, int policies) {
    double nanos = jmh.nanos(which).median();
    double bytes = jmh.samples(which, Outcome::bytes).median();
    return List.of(
        "" + policies, perSecond(nanos), whole(nanos), whole(nanos / policies), whole(bytes));
  }

  private List<List<String>> rows(List<Case> callers, List<Case> floors) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < callers.size(); i++) {
      double nanos = jmh.nanos(callers.get(i)).median();
      String floor = i < floors.size() ? whole(jmh.nanos(floors.get(i)).median()) : "";
      rows.add(List.of("%,d".formatted(power(i + 2)), perSecond(nanos), whole(nanos), floor));
    }
    return rows;
  }

  private static String perSecond(double nanos) {
    return "%,.0f".formatted(Jmh.THREADS * 1e9 / nanos);
  }

  private static String whole(double number) {
    return "%,.0f".formatted(number);
  }

  private Case policies(int number) {
    String callers = effort == Effort.TINY ? "10" : "1000";
    return new Case(Keyed.class, "several", Map.of("keys", callers, "policies", "" + number));
  }

  private static Case callers(int exponent) {
    Map<String, String> params = Map.of("keys", "" + power(exponent), "store", "granting");
    return new Case(Keyed.class, "weir", params, heap(exponent));
  }

  private static Case floor(int exponent) {
    return new Case(Keyed.class, "floor", Map.of("keys", "" + power(exponent)));
  }

  private static List<String> heap(int exponent) {
    // All that is made stays, so a young generation that is large saves most copies of it.
    boolean huge = exponent == HUGE;
    return huge ? List.of("-XX:+UseParallelGC", "-Xms11g", "-Xmx11g", "-Xmn3g") : List.of();
  }

  private static int power(int exponent) {
    return IntStream.range(0, exponent).reduce(1, (product, i) -> product * 10);
  }
}
