package io.weir.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the suites that its arguments name.
 *
 * <p>Confine to one thread.
 */
public final class Main {
  private static final String USAGE =
      """
      usage: benchmarks/run SUITE… [--quick] [--minutes N]
        SUITE is one or more of these, or all:
      %s
        --quick takes at most a minute a suite; without it, the suite's section of
        benchmarks/RESULTS.md is written anew. The figures are the last lines.
        --minutes says how long the soak lasts; it isn't one of all.
      """;

  private final PrintStream out;
  private final PrintStream err;
  private final Path directory;

  Main(PrintStream out, PrintStream err, Path directory) {
    this.out = out;
    this.err = err;
    this.directory = directory;
  }

  /**
   * Runs suites one after the other, and ends with 0, with 1 if one of them failed or measured that
   * something promised doesn't hold, or with 2 if the arguments make no sense.
   *
   * @param args names of suites, or {@code all}, {@code --quick} if that will do, and {@code
   *     --minutes N} for the soak
   */
  public static void main(String[] args) {
    int code = new Main(System.out, System.err, Path.of("benchmarks")).run(List.of(args));
    System.exit(code); // whatever threads a peer has left behind
  }

  /** Returns the code to end with. */
  int run(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(USAGE.formatted(Suites.list()));
      return 0;
    }
    List<String> names = new ArrayList<>(args);
    Effort effort = names.remove("--quick") ? Effort.QUICK : Effort.FULL;
    if (names.equals(List.of("all"))) {
      return runAll(Suites.ALL, effort);
    }
    try {
      Optional<Duration> duration = minutes(names);
      List<BenchmarkSuite> suites = new ArrayList<>();
      for (String name : names) {
        BenchmarkSuite suite = named(name);
        suites.add(duration.map(suite::lasting).orElse(suite));
      }
      if (!suites.isEmpty()) {
        return runAll(suites, effort);
      }
    } catch (IllegalArgumentException nonsense) {
      err.println(nonsense.getMessage());
    }
    err.print(USAGE.formatted(Suites.list()));
    return 2;
  }

  private static BenchmarkSuite named(String name) {
    return Suites.named(name)
        .orElseThrow(() -> new IllegalArgumentException("No suite is called " + name + "."));
  }

  /** Takes {@code --minutes N} out of the arguments. */
  private static Optional<Duration> minutes(List<String> args) {
    int at = args.indexOf("--minutes");
    if (at < 0) {
      return Optional.empty();
    }
    args.remove(at);
    String number = at < args.size() ? args.remove(at) : "nothing";
    if (!number.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("--minutes takes 1 to 9999, not " + number + ".");
    }
    return Optional.of(Duration.ofMinutes(Long.parseLong(number)));
  }

  /** One that fails doesn't take from the others the hour that they may have run. */
  private int runAll(List<BenchmarkSuite> suites, Effort effort) {
    List<String> failed = new ArrayList<>();
    for (BenchmarkSuite suite : suites) {
      try {
        failed.addAll(brokenPromises(run(suite, effort)));
      } catch (Exception | LinkageError failure) {
        failure.printStackTrace(err);
        failed.add(suite.name());
      }
    }
    if (!failed.isEmpty()) {
      err.println("Failed: " + String.join(", ", failed));
    }
    return failed.isEmpty() ? 0 : 1;
  }

  /** Returns the figures that miss what is promised, with the target that they miss. */
  static List<String> brokenPromises(Report report) {
    return report.figures().stream()
        .filter(
            each -> {
              Target target = Target.ALL.get(each.name());
              return target != null && target.promised() && !target.metBy(each);
            })
        .map(each -> each + ", not " + Target.ALL.get(each.name()))
        .toList();
  }

  private Report run(BenchmarkSuite suite, Effort effort) throws Exception {
    Report report = new Report(out);
    long from = System.nanoTime();
    suite.run(effort, report);
    Duration took = Duration.ofNanos(System.nanoTime() - from);
    if (effort == Effort.FULL) {
      new Results(directory).write(suite, report, took);
    }
    report.print(out);
    return report;
  }
}
