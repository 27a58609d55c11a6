package io.weir.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the results of one run of a suite: settings, tables and figures.
 *
 * <p>Confine to one thread.
 */
public final class Report {
  private final PrintStream progress;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<Table> tables = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<String> untold = new ArrayList<>();

  /** An empty report that prints what happens on the way. */
  public Report(PrintStream progress) {
    this.progress = progress;
  }

  /** Prints on the console what is being done. */
  public void progress(String line) {
    progress.println("# " + line);
  }

  /** Notes under which setting everything ran. */
  public void setting(String name, Object value) {
    settings.put(name, String.valueOf(value));
  }

  /** Notes a table; it is printed, and goes into RESULTS.md. */
  public void table(Table table) {
    tables.add(table);
  }

  /** Notes a figure. */
  public void figure(Figure figure) {
    figures.add(figure);
    progress(figure.toString());
  }

  /** Notes that a figure isn't reported, since it would mean nothing. */
  public void untold(String name, String because) {
    meaningless(name, because + " (run it without --quick)");
  }

  /** Notes the same of a figure that a longer run wouldn't report either. */
  public void meaningless(String name, String because) {
    String line = name + " isn't reported: " + because;
    untold.add(line);
    progress(line);
  }

  /** Notes a figure of one sample. */
  public void figure(String name, double value, String unit) {
    figure(new Figure(name, value, unit, value, value));
  }

  /** Notes the median of some samples. */
  public void figure(String name, Samples samples, String unit) {
    figure(samples.figure(name, unit));
  }

  /** Notes a figure that a child has printed already. */
  void repeat(Figure figure) {
    figures.add(figure);
  }

  /** Notes what a child has said of a figure that isn't reported. */
  void repeatUntold(String line) {
    untold.add(line);
  }

  List<String> untold() {
    return untold;
  }

  Map<String, String> settings() {
    return settings;
  }

  List<Table> tables() {
    return tables;
  }

  List<Figure> figures() {
    return figures;
  }

  /** Prints everything, the figures last. */
  void print(PrintStream out) {
    tables.forEach(table -> out.println("\n" + table.markdown()));
    settings.forEach((name, value) -> out.println("# " + name + ": " + value));
    untold.forEach(line -> out.println("# " + line));
    figures.forEach(out::println);
  }
}
