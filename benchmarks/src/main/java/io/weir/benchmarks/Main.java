package io.weir.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the suites that its arguments name.
 *
 * <p>Confine to one thread.
 */
public final class Main {
  private static final String USAGE =
      """
      usage: benchmarks/run SUITE… [--quick]
        SUITE is one or more of these, or all:
      %s
        --quick takes at most a minute a suite; without it, the suite's section of
        benchmarks/RESULTS.md is written anew. The figures are the last lines.
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
   * Runs suites one after the other, and ends with 0, with 1 if one of them failed, or with 2 if
   * the arguments make no sense.
   *
   * @param args names of suites, or {@code all}, and {@code --quick} if that will do
   */
  public static void main(String[] args) {
    int code = new Main(System.out, System.err, Path.of("benchmarks")).run(List.of(args));
    System.exit(code); // whatever threads a peer has left behind
  }

  /** The code to end with. */
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
    List<Suite> suites = new ArrayList<>();
    for (String name : names) {
      Suites.named(name)
          .ifPresentOrElse(suites::add, () -> err.println("No suite is called " + name + "."));
    }
    if (suites.isEmpty() || suites.size() < names.size()) {
      err.print(USAGE.formatted(Suites.list()));
      return 2;
    }
    return runAll(suites, effort);
  }

  /** One that fails doesn't take from the others the hour that they may have run. */
  private int runAll(List<Suite> suites, Effort effort) {
    List<String> failed = new ArrayList<>();
    for (Suite suite : suites) {
      try {
        run(suite, effort);
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

  private void run(Suite suite, Effort effort) throws Exception {
    Report report = new Report(out);
    long from = System.nanoTime();
    suite.run(effort, report);
    Duration took = Duration.ofNanos(System.nanoTime() - from);
    if (effort == Effort.FULL) {
      new Results(directory).write(suite, report, took);
    }
    report.print(out);
  }
}
