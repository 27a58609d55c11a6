package io.weir.test.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildEndTest {
  private static final Instant BEGAN = Instant.ofEpochMilli(1_700_000_000_000L);

  @TempDir Path root;

  private void write(String module, String reason, Instant time) throws IOException {
    Path report = root.resolve(module + "/target/surefire-reports/TEST-io.weir.ATest.xml");
    Files.createDirectories(report.getParent());
    Files.writeString(
        report,
        "<testsuite><testcase name=\"t\" classname=\"io.weir.ATest\"><skipped message=\""
            + reason
            + "\"/></testcase></testsuite>");
    Files.setLastModifiedTime(report, FileTime.from(time));
  }

  private List<String> lines() {
    return new BuildEnd(root.toFile(), Date.from(BEGAN)).lines();
  }

  @Test
  void listsWhatThisBuildHasSkipped() throws IOException {
    write("rules", "another day's turn; -Pdeep runs all", BEGAN.plusMillis(1));
    write("server", "program missing: nginx", BEGAN.minusMillis(1));
    assertEquals(
        List.of("1 of 1 tests were skipped:", "     1  another day's turn; -Pdeep runs all"),
        lines());
  }

  @Test
  void printsNothingIfTheBuildRanNoTest() throws IOException {
    write("rules", "another day's turn; -Pdeep runs all", BEGAN.minusMillis(1));
    assertEquals(List.of(), lines());
  }
}
