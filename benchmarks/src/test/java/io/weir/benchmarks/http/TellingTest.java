package io.weir.benchmarks.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.benchmarks.Samples;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A figure that means nothing isn't printed. */
class TellingTest {
  private static final Samples STEADY = Samples.of(13, 12.5, 14);
  private static final Samples SCATTERED = Samples.of(13, -40, 453);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8));

  @Test
  void aQuickRunTellsNoFigureOfAServerThatIsStillGettingFaster() {
    assertEquals(
        "# http.a isn't reported: the server was still getting faster (run it without --quick)\n",
        tell(Effort.QUICK, false, STEADY));
  }

  @Test
  void aQuickRunTellsNoFigureWhoseSamplesDisagree() {
    assertEquals(
        "# http.a isn't reported: its samples lie too far apart (run it without --quick)\n",
        tell(Effort.QUICK, true, SCATTERED));
  }

  @Test
  void aQuickRunTellsTheOthers() {
    assertEquals("# http.a 13 us\n", tell(Effort.QUICK, true, STEADY));
  }

  @Test
  void otherRunsTellAll() {
    for (Effort effort : new Effort[] {Effort.TINY, Effort.FULL}) {
      assertTrue(tell(effort, false, SCATTERED).endsWith("# http.a 13 us\n"));
    }
  }

  private String tell(Effort effort, boolean warm, Samples samples) {
    new Telling(report, effort, warm).figure("http.a", samples, "us");
    return printed.toString(StandardCharsets.UTF_8).replace("\r", "");
  }
}
