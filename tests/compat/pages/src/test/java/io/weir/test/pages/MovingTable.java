package io.weir.test.pages;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The table of docs/moving.md below a heading, with a trial for each of its rows. A row without a
 * trial fails, and so does a trial without a row.
 */
final class MovingTable {
  private static final MarkdownPage PAGE = MarkdownPage.read("moving.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final String heading;
  private final List<Row> rows;
  private final Map<String, Trial> trials = new HashMap<>();

  private MovingTable(String heading, List<Row> rows) {
    this.heading = heading;
    this.rows = rows;
  }

  /** Returns the rows of all tables, numbered through. */
  static MovingTable ofAll() {
    List<Row> all = new ArrayList<>();
    PAGE.text()
        .lines()
        .filter(line -> line.startsWith("## "))
        .flatMap(line -> below(line.substring(3)).rows().stream())
        .forEach(each -> all.add(new Row(all.size(), each.theirs(), each.ours())));
    return new MovingTable("", all);
  }

  /** Tries one row. */
  @FunctionalInterface
  interface Trial {
    void run(Row row) throws Exception;
  }

  /**
   * A row.
   *
   * @param number its place in the table
   * @param theirs what one has: the code of the first column, else its words
   * @param ours what one writes instead
   */
  record Row(int number, String theirs, String ours) {}

  static MovingTable below(String heading) {
    String text = PAGE.text();
    int start = text.indexOf("\n## " + heading + "\n");
    if (start < 0) {
      throw new AssertionError("docs/moving.md has no heading " + heading);
    }
    int end = text.indexOf("\n## ", start + 1);
    List<Row> rows = new ArrayList<>();
    text.substring(start, end < 0 ? text.length() : end)
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(2)
        .forEach(line -> rows.add(row(rows.size(), line)));
    return new MovingTable(heading, rows);
  }

  private static Row row(int number, String line) {
    List<String> cells = Arrays.stream(line.split("(^\\| | \\| | \\|$)")).skip(1).toList();
    if (cells.size() != 3) {
      throw new AssertionError("not three cells: " + line);
    }
    return new Row(number, code(cells.get(0)), code(cells.get(1)));
  }

  private static String code(String cell) {
    Matcher code = CODE.matcher(cell);
    return code.find() ? code.group(1) : cell;
  }

  List<Row> rows() {
    return rows;
  }

  /** Says how to try the row whose first cell is a text, or else the only one that contains it. */
  MovingTable row(String part, Trial trial) {
    List<Row> found = rows.stream().filter(each -> each.theirs().equals(part)).toList();
    if (found.isEmpty()) {
      found = rows.stream().filter(each -> each.theirs().contains(part)).toList();
    }
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " rows of docs/moving.md have '" + part + "'");
    }
    if (trials.put(found.get(0).theirs(), trial) != null) {
      throw new AssertionError("two trials of " + part);
    }
    return this;
  }

  /** Leaves out a row that the page says wasn't run. */
  MovingTable notRun(String part) {
    return row(part, row -> {});
  }

  /** Returns a test for each row. */
  Stream<DynamicTest> tests() {
    return rows.stream().map(row -> DynamicTest.dynamicTest(row.theirs(), () -> run(row)));
  }

  private void run(Row row) throws Exception {
    Trial trial = trials.get(row.theirs());
    if (trial == null) {
      throw new AssertionError("no test tries the row '" + row.theirs() + "' of docs/moving.md");
    }
    trial.run(row);
  }

  /** Compiles the first column's code, with what the page imports for it. */
  MovingCode compileTheirs(Path folder, String parameters) {
    String imports = PAGE.blocks(heading, "java").get(0).text();
    return compile(folder, heading + "Cells", Column.THEIRS, imports, parameters);
  }

  /** Compiles the second column's code. */
  MovingCode compileOurs(Path folder, String name) {
    return compile(folder, name, Column.OURS, Ours.IMPORTS, Ours.VARIABLES);
  }

  private MovingCode compile(
      Path folder, String name, Column column, String imports, String parameters) {
    List<String> codes = new ArrayList<>();
    for (Row row : rows) {
      codes.add(column == Column.THEIRS ? row.theirs() : row.ours());
    }
    return MovingCode.compile(folder, name, codes, imports, parameters);
  }

  private enum Column {
    THEIRS,
    OURS
  }
}
