package io.weir.seeds;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class RequiredProgramsTest {
  @TempDir Path folder;

  private Path program;

  @BeforeEach
  void install() throws IOException {
    program = Files.createFile(folder.resolve("proxy"));
    assertTrue(program.toFile().setExecutable(true));
  }

  private RequiredPrograms programs(String use) {
    String path = "/nowhere" + File.pathSeparator + folder;
    return new RequiredPrograms(use, Map.of("PATH", path));
  }

  @Test
  void findsAProgramOnThePathOrInAFolder() {
    assertEquals(Optional.of(program), programs("").search("proxy"));
    assertEquals(
        Optional.of(program),
        new RequiredPrograms("optional", Map.of()).search("proxy", folder.toString()));
    assertEquals(Optional.empty(), programs("").search("browser", "/nowhere"));
  }

  @Test
  void skipsATestWithoutItsProgram() {
    assertDoesNotThrow(() -> programs("").assumeAll("proxy"));
    TestAbortedException skipped =
        assertThrows(TestAbortedException.class, () -> programs("").assumeAll("proxy", "browser"));
    assertTrue(
        skipped.getMessage().endsWith(RequiredPrograms.REASON + "browser"), skipped::getMessage);
  }

  @Test
  void noneTreatsEveryProgramAsMissing() {
    RequiredPrograms none = programs("none");
    assertFalse(none.mayBeUsed());
    assertEquals(Optional.empty(), none.search("proxy", folder.toString()));
    assertThrows(TestAbortedException.class, () -> none.assumeAll("proxy"));
    assertThrows(TestAbortedException.class, () -> none.assume(true, "a package of Node"));
  }

  @Test
  void requiredFailsATestWithoutItsProgram() {
    RequiredPrograms required = programs("required");
    assertDoesNotThrow(() -> required.assumeAll("proxy"));
    assertThrows(AssertionError.class, () -> required.assumeAll("browser"));
    assertThrows(AssertionError.class, () -> required.assume(false, "a package of Node"));
    assertThrows(AssertionError.class, () -> required.report("a JDK"));
  }

  @Test
  void requiredMayLeaveOutAProgramByName() {
    RequiredPrograms required = programs("required,-browser");
    assertThrows(TestAbortedException.class, () -> required.assumeAll("browser"));
    assertThrows(AssertionError.class, () -> required.assumeAll("database"));
  }

  @Test
  void refusesAnotherValue() {
    assertThrows(IllegalArgumentException.class, () -> programs("nothing"));
  }
}
