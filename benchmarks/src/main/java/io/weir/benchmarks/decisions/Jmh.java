package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs cases in turns, each in a JVM of its own, and remembers what each round of each came to.
 *
 * <p>Confine to one thread.
 */
final class Jmh {
  static final int THREADS = 2;

  private final Effort effort;
  private final Report report;
  private final Map<Case, List<Outcome>> outcomes = new LinkedHashMap<>();

  Jmh(Effort effort, Report report) {
    this.effort = effort;
    this.report = report;
  }

  /** Runs all cases once in each round. */
  void rounds(int rounds, List<Case> cases) throws RunnerException {
    for (int round = 1; round <= rounds; round++) {
      for (Case each : cases) {
        Outcome outcome = run(each);
        report.progress(String.format(Locale.ROOT, "round %d: %s: %s", round, each, outcome));
        outcomes.computeIfAbsent(each, first -> new ArrayList<>()).add(outcome);
      }
    }
  }

  /** Returns the nanoseconds of a decision on each thread, by round. */
  Samples nanos(Case which) {
    return samples(which, Outcome::nanos);
  }

  /** Something else of it, by round. */
  Samples samples(Case which, ToDoubleFunction<Outcome> what) {
    return Samples.of(outcomes.getOrDefault(which, List.of()).stream().mapToDouble(what).toArray());
  }

  private Outcome run(Case which) throws RunnerException {
    TimeValue time = TimeValue.milliseconds(effort.of(10, 300, 400));
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(which.pattern())
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .threads(THREADS)
            .forks(effort == Effort.TINY ? 0 : 1)
            .warmupIterations(effort == Effort.TINY ? 1 : which.wide() ? 6 : 3)
            .warmupTime(time)
            .measurementIterations(effort.of(1, 2, 2))
            .measurementTime(time)
            .jvmArgsAppend(which.flags().toArray(String[]::new))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    which.params().forEach(options::param);
    return Outcome.of(new Runner(options.build()).runSingle());
  }

  /**
   * One benchmark method with its parameters.
   *
   * <p>Immutable.
   *
   * @param params by the names of the fields
   * @param flags for its JVM
   */
  record Case(Class<?> type, String method, Map<String, String> params, List<String> flags) {
    Case {
      flags = List.copyOf(flags);
      params = Map.copyOf(params);
    }

    Case(Class<?> type, String method, Map<String, String> params) {
      this(type, method, params, List.of());
    }

    /**
     * Returns whether it takes longer to warm up: its memory is spread wide, or there are more
     * leases to grow than the first flushes top up.
     */
    private boolean wide() {
      return params.getOrDefault("keys", "1").length() > 4 || params.containsKey("policies");
    }

    private String pattern() {
      return "^" + (type.getName() + "." + method).replace(".", "\\.") + "$";
    }

    @Override
    public String toString() {
      return method + new TreeMap<>(params);
    }
  }

  /**
   * The results of one JVM.
   *
   * @param nanos time a decision on each thread
   * @param cpuNanos processor's time a decision on its thread
   * @param bytes allocated a decision on its thread
   * @param exchanges claims a decision
   * @param waits claims a decision that it waited for
   */
  record Outcome(double nanos, double cpuNanos, double bytes, double exchanges, double waits) {
    static Outcome of(RunResult result) {
      double requests = score(result, "requests");
      return new Outcome(
          result.getPrimaryResult().getScore(),
          score(result, "cpuNanos") / requests,
          hundredths(score(result, "bytes") / requests),
          score(result, "exchanges") / requests,
          score(result, "waits") / requests);
    }

    // Objects take multiples of eight bytes. What is less than a hundredth a decision is what an
    // iteration allocates around them.
    private static double hundredths(double bytes) {
      return Math.rint(bytes * 100) / 100;
    }

    private static double score(RunResult result, String name) {
      var found = result.getSecondaryResults().get(name);
      return found == null ? 0 : found.getScore();
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.1f ns (%.1f of the processor), %.1f B, %.6f exchanges, %.6f waits",
          nanos,
          cpuNanos,
          bytes,
          exchanges,
          waits);
    }
  }
}
