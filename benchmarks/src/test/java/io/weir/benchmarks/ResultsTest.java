package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final BenchmarkSuite FIRST = Suites.ALL.get(0);
  private static final BenchmarkSuite LAST = Suites.ALL.get(Suites.ALL.size() - 1);

  @TempDir Path directory;

  private static Report report() {
    return new Report(new PrintStream(OutputStream.nullOutputStream()));
  }

  private String write(BenchmarkSuite suite, Report report) throws IOException {
    new Results(directory).write(suite, report, Duration.ofSeconds(7));
    return Files.readString(directory.resolve("RESULTS.md"));
  }

  private static Report saying(String name, double value) {
    Report report = report();
    report.figure(name, value, "ms");
    return report;
  }

  private static String row(String text, String figure) {
    return text.lines().filter(line -> line.contains("`" + figure + "`")).findFirst().orElse("");
  }

  @Test
  void aRunReplacesItsOwnSectionAndLeavesTheOthers() throws IOException {
    write(LAST, saying("last.old", 1));
    write(FIRST, saying("first.kept", 2));
    String text = write(LAST, saying("last.now", 3));
    assertEquals("", row(text, "last.old"));
    assertFalse(row(text, "first.kept").isEmpty(), text);
    assertFalse(row(text, "last.now").isEmpty(), text);
  }

  @Test
  void sectionsStandInTheOrderOfTheSuitesWhicheverRanFirst() throws IOException {
    write(LAST, saying("last.a", 1));
    String text = write(FIRST, saying("first.a", 2));
    List<String> headings = text.lines().filter(line -> line.startsWith("## ")).toList();
    assertEquals(List.of("## " + FIRST.name(), "## " + LAST.name()), headings);
    assertTrue(text.startsWith("# What was measured\n"), text);
  }

  @Test
  void writingTheSameTwiceChangesNothing() throws IOException {
    String once = write(FIRST, saying("first.a", 2));
    assertEquals(once, write(FIRST, saying("first.a", 2)));
  }

  @Test
  void endsNoLineWithABlankAndTheFileWithOneLineBreak() throws IOException {
    Report report = saying("last.a", 1);
    report.setting("threads", 8);
    write(FIRST, saying("first.a", 2));
    String text = write(LAST, report);
    assertTrue(text.lines().noneMatch(line -> line.endsWith(" ")), text);
    assertTrue(text.endsWith("\n") && !text.endsWith("\n\n"), text);
  }

  @Test
  void marksWhatReachesItsTargetAndWhatDoesNot() throws IOException {
    String met = write(LAST, saying("startup.added_ms", 299));
    assertEquals("| `startup.added_ms` | 299 ms |  | ≤ 300 | ✓ |", row(met, "startup.added_ms"));
    String missed = write(LAST, saying("startup.added_ms", 301));
    assertTrue(row(missed, "startup.added_ms").endsWith("| ≤ 300 | ✗ |"), missed);
    String without = write(LAST, saying("startup.with_ms", 301));
    assertEquals("| `startup.with_ms` | 301 ms |  |  |  |", row(without, "startup.with_ms"));
  }

  @Test
  void marksAMedianWhoseRoundsLieOnBothSidesOfItsTarget() throws IOException {
    String[] marks = {"✓ ~", "✗ ~", "✓", "✗"};
    double[][] rounds = {{200, 290, 310}, {290, 310, 400}, {200, 290, 300}, {301, 310, 400}};
    for (int i = 0; i < marks.length; i++) {
      Report report = report();
      report.figure("startup.added_ms", Samples.of(rounds[i]), "ms");
      String row = row(write(LAST, report), "startup.added_ms");
      assertTrue(row.endsWith("| ≤ 300 | " + marks[i] + " |"), row);
    }
    Report promised = report();
    promised.figure(new Figure("cluster.ahead.overshoot", 4, "percent", 3, 6));
    String row = row(write(LAST, promised), "cluster.ahead.overshoot");
    assertTrue(row.endsWith("| ≤ 5 | ✗ |"), "judged by the worst: " + row);
  }

  @Test
  void tellsSpreadSettingsTablesCommandAndMachine() throws IOException {
    Report report = report();
    report.setting("threads", 8);
    report.figure("first.a", Samples.of(1, 2, 4), "x");
    report.table(new Table("By keys", List.of("keys", "x"), List.of(List.of("100", "3"))));
    String text = write(FIRST, report);
    assertEquals("| `first.a` | 2 x | 1 – 4 |  |  |", row(text, "first.a"));
    assertTrue(text.contains("threads: 8.\n"), text);
    assertTrue(text.contains("**By keys**\n\n| keys | x |\n| --- | --- |\n| 100 | 3 |\n"), text);
    assertTrue(text.contains("`benchmarks/run " + FIRST.name() + "`, 20"), text);
    assertTrue(text.contains(", 7 s. "), text);
    assertTrue(text.contains("Java " + System.getProperty("java.version")), text);
  }

  private String writeWithNote(String note) throws IOException {
    Path notes = Files.createDirectory(directory.resolve("notes"));
    Files.writeString(notes.resolve(FIRST.name() + ".md"), note);
    write(LAST, saying("last.a", 1));
    return write(FIRST, saying("first.a", 2));
  }

  @Test
  void whatAPersonHasToSayEndsTheSection() throws IOException {
    String text = writeWithNote("\nBecause of this.\n\n");
    assertTrue(text.contains("|\n\nBecause of this.\n\n## " + LAST.name() + "\n"), text);
  }

  @Test
  void onlyTheFirstParagraphOfItWithALinkToTheRest() throws IOException {
    String text = writeWithNote("Because\nof this.\n\n## What was tried\n\n- That.\n");
    String link = "More: [notes/%1$s.md](notes/%1$s.md).".formatted(FIRST.name());
    assertTrue(text.contains("|\n\nBecause\nof this.\n\n" + link + "\n\n## "), text);
    assertFalse(text.contains("That."), text);
  }
}
