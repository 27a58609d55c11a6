package io.weir.test.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {
  private static final String PASSED = "<testcase name=\"a\" classname=\"io.weir.ATest\"/>";

  @TempDir Path root;

  @BeforeEach
  void makeReports() throws IOException {
    write(
        "rules/target/surefire-reports/TEST-io.weir.ATest.xml",
        PASSED + skipped("io.weir.ATest", "another day's turn; -Pdeep runs all"));
    write(
        "stores/postgres/target/surefire-reports/TEST-io.weir.BTest.xml",
        skipped("io.weir.BTest", "Assumption failed: program missing: psql")
            + "<testcase name=\"b\" classname=\"io.weir.BTest$Nested\">"
            + "<skipped type=\"org.opentest4j.TestAbortedException\">"
            + "<![CDATA[org.opentest4j.TestAbortedException: program missing: psql\n\tat io.weir]]>"
            + "</skipped></testcase>"
            + "<testcase name=\"c\" classname=\"io.weir.BTest\"><skipped/></testcase>");
    write("stores/postgres/target/node/surefire-reports/TEST-other.xml", PASSED);
    write("stores/postgres/src/test/resources/TEST-other.xml", PASSED);
  }

  private void write(String file, String cases) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), "<testsuite>" + cases + "</testsuite>");
  }

  private static String skipped(String test, String reason) {
    return "<testcase name=\"t\" classname=\""
        + test
        + "\"><skipped message=\""
        + reason
        + "\"/></testcase>";
  }

  @Test
  void countsSkippedTestsByReason() {
    assertEquals(
        List.of(
            "4 of 5 tests were skipped:",
            "     2  program missing: psql",
            "     1  another day's turn; -Pdeep runs all",
            "     1  no reason given"),
        SkippedTests.in(root).summary());
  }

  @Test
  void listsTheClassesThatLackAProgramByModule() {
    assertEquals(List.of("stores/postgres io.weir.BTest"), SkippedTests.in(root).withoutPrograms());
  }

  @Test
  void theOutermostFolderMayHaveAnyName() throws IOException {
    write("src/rules/target/surefire-reports/TEST-io.weir.ATest.xml", PASSED);
    assertEquals(1, SkippedTests.in(root.resolve("src")).count());
  }
}
