package io.weir.benchmarks.service;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Columns;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Libraries;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A load that is compared with others, and the figures that it reported.
 *
 * <p>Confine to one thread.
 */
final class Side implements AutoCloseable {
  /** The number of connections of a load; for gRPC, the number of concurrent calls. */
  static final int CONNECTIONS = 50;

  /** The number of requests in a pipeline. */
  static final int DEPTH = 16;

  /** The number of warm-ups to compare with as many before, and the speed-up that ends them. */
  private static final int COMPARED = 4;

  private static final double STEADY = 1.02;

  private static final List<String> FLAGS = List.of("-Xms128m", "-Xmx128m");

  private final String name;
  private final Child child;
  private final Columns told = new Columns();
  private final List<Double> warmUps = new ArrayList<>();

  private Side(String name, Child child) {
    this.name = name;
    this.child = child;
  }

  /** Connects a load with a server. */
  static Side of(String name, RequestKind kind, ServedService served, int callers, int depth)
      throws IOException {
    return of(name, kind, served.address(kind), served.token(), callers, depth);
  }

  /**
   * Connects a load with what is at an address.
   *
   * @param token signs in; for a script its digest
   */
  static Side of(
      String name, RequestKind kind, String address, String token, int callers, int depth)
      throws IOException {
    int colon = address.lastIndexOf(':');
    Child child =
        Child.start(
            FLAGS,
            Libraries.classPath(),
            LoadChild.class,
            kind.name(),
            address.substring(0, colon),
            address.substring(colon + 1),
            token,
            "" + callers,
            "" + CONNECTIONS,
            "" + depth);
    child.hear();
    return new Side(name, child);
  }

  /**
   * Returns the same load for another measurement. It is warm: a cold one that sends by the clock
   * falls behind, and what is due fills its memory.
   */
  Side alsoAs(String another) {
    return new Side(another, child);
  }

  /** Sends one request of each caller, so that all are known, and doesn't count them. */
  void fill(Report report) throws IOException {
    report.progress("each caller once: " + name + " " + child.ask("each"));
  }

  /** Sends requests for some time, and doesn't count them. */
  private void warmUp(Effort effort, Report report) throws IOException {
    String line = child.ask(closed(effort));
    report.progress("warming up: " + name + " " + line);
    warmUps.add(Double.parseDouble(line.substring(0, line.indexOf(' '))));
  }

  /** Returns whether its last warm-ups were hardly faster than those before. */
  private boolean isWarm() {
    int end = warmUps.size();
    return end >= 2 * COMPARED
        && mean(end - COMPARED, end) <= STEADY * mean(end - 2 * COMPARED, end - COMPARED);
  }

  private double mean(int from, int to) {
    return warmUps.subList(from, to).stream().mapToDouble(each -> each).average().orElseThrow();
  }

  /** Sends requests as fast as they are answered. */
  void measure(Effort effort, Report report) throws IOException {
    measure(closed(effort), report);
  }

  /** Sends requests when they are due. */
  void measure(Effort effort, Report report, double perSecond) throws IOException {
    int millis = effort.of(200, 2_000, 5_000);
    measure(String.format(Locale.ROOT, "open %d %.1f", millis, perSecond), report);
  }

  /** Sends one request of each caller. */
  void once(Report report) throws IOException {
    measure("each", report);
  }

  private void measure(String command, Report report) throws IOException {
    String line = child.ask(command);
    report.progress(name + " " + line);
    told.add(line);
  }

  private static String closed(Effort effort) {
    return "closed " + effort.of(100, 1_000, 2_000);
  }

  /** Measures all, one after the other, several times, once none gets faster any more. */
  static void inTurns(Effort effort, Report report, Side... sides) throws IOException {
    int most = effort.of(0, 2, 40);
    for (int round = 0; round < most && !List.of(sides).stream().allMatch(Side::isWarm); round++) {
      for (Side each : sides) {
        each.warmUp(effort, report);
      }
    }
    for (int round = 0; round < effort.of(1, 3, 7); round++) {
      for (Side each : sides) {
        each.measure(effort, report);
      }
    }
  }

  /** Requests a second. */
  Samples rate() {
    return told.column(0);
  }

  /** Returns the 99th percentile, in microseconds. */
  Samples p99() {
    return told.column(2);
  }

  /** Returns the number of full buckets in the last measurement. */
  double full() {
    return told.column(4).median();
  }

  /** Returns its results as a row of a table. */
  List<String> row() {
    List<String> row = new ArrayList<>(List.of(name));
    for (int column = 0; column < 4; column++) {
      row.add(String.format(Locale.ROOT, "%.0f", told.column(column).median()));
    }
    row.set(4, String.format(Locale.ROOT, "%.2f", told.column(3).median()));
    return row;
  }

  @Override
  public void close() {
    child.close();
  }
}
