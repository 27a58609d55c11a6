package io.weir.benchmarks.decisions;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs cases in turns, each in a JVM of its own, and collects what each round of each came to.
 *
 * <p>Confine to one thread.
 *
 * @param effort how long
 * @param report told what is done
 */
record Jmh(Effort effort, Report report) {
  static final int THREADS = 2;

  /** Runs all cases once in each round. */
  Map<Case, List<Outcome>> rounds(int rounds, List<Case> cases) throws RunnerException {
    Map<Case, List<Outcome>> all = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Case each : cases) {
        Outcome outcome = run(each);
        report.progress("round %d: %s: %s".formatted(round, each, outcome));
        all.computeIfAbsent(each, first -> new ArrayList<>()).add(outcome);
      }
    }
    return all;
  }

  private Outcome run(Case which) throws RunnerException {
    int millis = effort.of(30, 500, 1_000);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(
                "^" + which.type().getName().replace(".", "\\.") + "\\." + which.method() + "$")
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .threads(THREADS)
            .forks(effort == Effort.TINY ? 0 : 1)
            .warmupIterations(effort.of(1, 2, 2))
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(effort.of(1, 2, 2))
            .measurementTime(TimeValue.milliseconds(millis))
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-Djmh.ignoreLock=true")
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    which.params().forEach(options::param);
    return Outcome.of(new Runner(options.build()).runSingle());
  }

  /** One benchmark method with its parameters. */
  record Case(Class<?> type, String method, Map<String, String> params) {
    @Override
    public String toString() {
      return method + " " + params;
    }
  }

  /**
   * What one JVM measured.
   *
   * @param nanos time a decision on each thread
   * @param cpuNanos processor's time a decision on its thread
   * @param bytes allocated a decision, by whatever thread
   * @param exchanges claims a decision
   * @param waits claims a decision that it waited for
   */
  record Outcome(double nanos, double cpuNanos, double bytes, double exchanges, double waits) {
    static Outcome of(RunResult result) {
      double requests = score(result, "requests");
      return new Outcome(
          result.getPrimaryResult().getScore(),
          score(result, "cpuNanos") / requests,
          score(result, "gc.alloc.rate.norm"),
          score(result, "exchanges") / requests,
          score(result, "waits") / requests);
    }

    private static double score(RunResult result, String name) {
      var found = result.getSecondaryResults().get(name);
      return found == null ? 0 : found.getScore();
    }

    @Override
    public String toString() {
      return "%.1f ns (%.1f of the processor), %.1f B, %.6f exchanges, %.6f waits"
          .formatted(nanos, cpuNanos, bytes, exchanges, waits);
    }
  }
}
