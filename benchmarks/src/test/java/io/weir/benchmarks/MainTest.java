package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path directory;

  private int run(String... args) {
    return new Main(printing(out), printing(err), directory).run(List.of(args));
  }

  private static PrintStream printing(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private void sawUsage(ByteArrayOutputStream where) {
    String text = where.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("usage: benchmarks/run SUITE"), text);
    Suites.EVERY.forEach(suite -> assertTrue(text.contains("\n  " + suite.name() + " "), text));
  }

  @Test
  void aSuiteThatDoesNotExistGetsAPlainMessageWithThoseThatDo() {
    assertEquals(2, run("startup", "nosuch", "--quick"));
    String said = err.toString(StandardCharsets.UTF_8);
    assertTrue(said.startsWith("No suite is called nosuch.\nusage: "), said);
    assertFalse(said.contains("\tat "), said);
    sawUsage(err);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void withoutASuiteItSaysHowItIsUsed() {
    assertEquals(2, run());
    assertEquals(2, run("--quick"));
    sawUsage(err);
  }

  @Test
  void minutesAreANumberAndOnlyForWhatLastsAsLongAsOneLikes() {
    for (String number : new String[] {"0", "-1", "1.5", "ten", "10000"}) {
      assertEquals(2, run("soak", "--minutes", number));
      assertTrue(err.toString(StandardCharsets.UTF_8).contains("not " + number + "."));
    }
    assertEquals(2, run("soak", "--minutes"));
    assertEquals(2, run("startup", "--minutes", "3"));
    String said = err.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("The suite startup takes no --minutes.\nusage: "), said);
  }

  /** A comparison may be missed: the run still ends with 0. */
  @Test
  void aPromiseThatDoesNotHoldFailsTheRun() {
    Report report = new Report(printing(out));
    report.figure("startup.added_ms", 301, "ms");
    report.figure("cluster.hard.overshoot", 0, "percent");
    assertEquals(List.of(), Main.brokenPromises(report));
    report.figure("cluster.hard.of_no_window", 2, "admissions");
    assertEquals(
        List.of("cluster.hard.of_no_window 2 admissions, not ≤ 0"), Main.brokenPromises(report));
  }

  @Test
  void helpIsNoMistake() {
    assertEquals(0, run("--help"));
    sawUsage(out);
    assertEquals("", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void whatMakesNoSenseLeavesTheResultsAlone() {
    run("nosuch");
    assertFalse(Files.exists(directory.resolve("RESULTS.md")));
  }
}
