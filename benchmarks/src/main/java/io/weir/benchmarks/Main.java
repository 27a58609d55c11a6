package io.weir.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs the suites that its arguments name. */
public final class Main {
  private Main() {}

  /**
   * Runs suites one after the other.
   *
   * @param args names of suites, or {@code all}, and {@code --quick} if that will do
   */
  public static void main(String[] args) throws Exception {
    List<String> words = new ArrayList<>(List.of(args));
    Effort effort = words.remove("--quick") ? Effort.QUICK : Effort.FULL;
    List<Suite> suites = words.equals(List.of("all")) ? Suites.ALL : Suites.named(words);
    if (suites.isEmpty()) {
      System.err.println("usage: benchmarks/run SUITE… [--quick]\n" + Suites.list());
      System.exit(2);
    }
    for (Suite suite : suites) {
      run(suite, effort);
    }
    System.exit(0); // whatever threads a peer has left behind
  }

  private static void run(Suite suite, Effort effort) throws Exception {
    Report report = new Report(System.out);
    long from = System.nanoTime();
    suite.run(effort, report);
    Duration took = Duration.ofNanos(System.nanoTime() - from);
    if (effort == Effort.FULL) {
      new Results(Path.of("benchmarks")).write(suite, report, took);
    }
    report.print(System.out);
  }
}
