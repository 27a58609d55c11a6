package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportLinesTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  private static PrintStream printing(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  @Test
  void aReportArrivesAsItWasMade() throws IOException {
    Table first = new Table("1", List.of("a", "b"), List.of(List.of("1", "≥ 2"), List.of("", "")));
    Table second = new Table("Two", List.of("c"), List.of(List.of("3")));
    Report made = new Report(printing(sent));
    made.progress("begins");
    made.setting("name", "value: 1");
    made.figure("some.figure", Samples.of(0.1, 1.0 / 3, 3), "x");
    made.untold("other.figure", "too short");
    made.table(first);
    made.table(second);
    ReportLines.print(made, printing(sent));

    Report read = new Report(printing(progress));
    Iterator<String> lines = sent.toString(StandardCharsets.UTF_8).lines().iterator();
    ReportLines.read(lines::next, read);

    assertEquals(Map.of("name", "value: 1"), read.settings());
    assertEquals(made.figures(), read.figures());
    assertEquals(List.of(first, second), read.tables());
    assertEquals(made.untold(), read.untold());
    String said = progress.toString(StandardCharsets.UTF_8);
    assertEquals("# begins", said.lines().findFirst().orElseThrow());
    assertEquals(3, said.lines().count(), said);
  }
}
