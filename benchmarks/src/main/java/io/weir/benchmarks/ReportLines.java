package io.weir.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Passes a report on from a JVM to the one that started it: a line for each part, with tabs between
 * what it consists of.
 */
public final class ReportLines {
  private static final String TAB = "\t";
  private static final String PROGRESS = "# ";
  private static final String SETTING = "setting";
  private static final String UNTOLD = "untold";
  private static final String FIGURE = "figure";
  private static final String TABLE = "table";
  private static final String ROW = "row";
  private static final String END = "end";

  private ReportLines() {}

  /** Reads lines, one after the other. */
  interface Lines {
    /** Waits for the next one. */
    String next() throws IOException;
  }

  /** Prints all that a report has. */
  public static void print(Report report, PrintStream out) {
    report.settings().forEach((name, value) -> print(out, SETTING, name, value));
    report.untold().forEach(line -> print(out, UNTOLD, line));
    for (Figure each : report.figures()) {
      print(
          out,
          FIGURE,
          each.name(),
          "" + each.value(),
          each.unit(),
          "" + each.low(),
          "" + each.high());
    }
    for (Table each : report.tables()) {
      print(out, TABLE, each.title());
      print(out, each.columns());
      each.rows().forEach(row -> print(out, row));
    }
    print(out, END);
  }

  private static void print(PrintStream out, List<String> cells) {
    print(out, Stream.concat(Stream.of(ROW), cells.stream()).toArray(String[]::new));
  }

  private static void print(PrintStream out, String... words) {
    out.println(String.join(TAB, words));
  }

  /** Adds all that a child prints to a report, its progress as well. */
  public static void read(Child child, Report report) throws IOException {
    read(child::hear, report);
  }

  static void read(Lines lines, Report report) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    String title = "";
    for (List<String> line = words(lines); ; line = words(lines)) {
      List<String> rest = line.subList(1, line.size());
      if (line.get(0).equals(ROW)) {
        rows.add(rest);
        continue;
      }
      addTable(title, rows, report);
      switch (line.get(0)) {
        case SETTING -> report.setting(rest.get(0), rest.get(1));
        case UNTOLD -> report.repeatUntold(rest.get(0));
        case FIGURE -> report.repeat(figure(rest));
        case TABLE -> title = rest.get(0);
        case END -> {
          return;
        }
        default -> report.progress(line.get(0).replaceFirst(PROGRESS, ""));
      }
    }
  }

  private static List<String> words(Lines lines) throws IOException {
    return List.of(lines.next().split(TAB, -1));
  }

  private static Figure figure(List<String> words) {
    return new Figure(
        words.get(0),
        Double.parseDouble(words.get(1)),
        words.get(2),
        Double.parseDouble(words.get(3)),
        Double.parseDouble(words.get(4)));
  }

  private static void addTable(String title, List<List<String>> rows, Report report) {
    if (!rows.isEmpty()) {
      report.table(new Table(title, rows.get(0), rows.subList(1, rows.size())));
      rows.clear();
    }
  }
}
