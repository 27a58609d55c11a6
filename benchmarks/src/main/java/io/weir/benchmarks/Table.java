package io.weir.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of text under a heading, as Markdown.
 *
 * <p>Immutable.
 *
 * @param title what the table shows
 * @param columns the heads
 * @param rows as many cells each as there are heads
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {
  /** Checks that each row fits. */
  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(title + ": " + row + " doesn't fit " + columns);
      }
    }
  }

  String markdown() {
    String rule = columns.stream().map(any -> "---").collect(Collectors.joining(" | "));
    String body =
        rows.stream().map(row -> line(String.join(" | ", row))).collect(Collectors.joining());
    String head = title.isEmpty() ? "" : "**" + title + "**\n\n";
    return head + line(String.join(" | ", columns)) + line(rule) + body;
  }

  private static String line(String cells) {
    return "| " + cells + " |\n";
  }
}
