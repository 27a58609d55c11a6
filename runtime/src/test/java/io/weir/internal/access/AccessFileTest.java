package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.access.AccessEntry;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is read when it has changed, and what can't be used leaves the last one in force. */
class AccessFileTest {
  @TempDir private Path directory;
  private Path path;
  private AccessFile file;
  private long modified;

  @BeforeEach
  void open() {
    path = directory.resolve("list.txt");
    file = new AccessFile(path, new AccessLog(0));
  }

  /** Writes the file, at another time for each text whatever the clock's precision. */
  private void write(String text) throws IOException {
    Files.writeString(path, text, StandardCharsets.ISO_8859_1);
    modified += 1_000;
    Files.setLastModifiedTime(path, FileTime.fromMillis(modified));
  }

  private List<String> settled() {
    assertEquals(Optional.empty(), file.readChanged(), "it may still be written");
    return file.readChanged().orElseThrow().stream().map(AccessEntry::toString).toList();
  }

  @Test
  void aChangeIsReadOnceItHasSettled() throws IOException {
    write("203.0.113.7\n");
    assertEquals(1, file.readChanged().orElseThrow().size(), "at the start at once");
    assertEquals(Optional.empty(), file.readChanged());
    write("203.0.113.7\n# more\n\n; and more\nallow user:alice reason=m\u00fcde\n");
    assertEquals(2, settled().size());
    assertEquals(Optional.empty(), file.readChanged());
  }

  @Test
  void wrongLinesAreNamedByNumberAndTheOthersHold() throws IOException {
    write("203.0.113.7\n203.0.113.999\ndeny alice\n203.0.113.8\n");
    try (LogLines log = new LogLines()) {
      assertEquals(2, read().size());
      String all = log.warnings().toString();
      assertTrue(all.contains("line 2: must be") && all.contains("line 3: must be"), all);
    }
  }

  private List<AccessEntry> read() {
    return file.readChanged().orElseThrow();
  }

  @Test
  void aFileThatIsMissingEmptyOrHalfWrittenChangesNothingAndIsLoggedOnce() throws IOException {
    write("203.0.113.7\n");
    assertEquals(1, read().size());
    Files.delete(path);
    assertUnusable("can't be read");
    write("203.0.113.7\n203.0.113.0/2");
    assertUnusable("its last line has no end");
    write("# nothing\n");
    assertUnusable("it has no entry");
    write("<html>\n");
    assertUnusable("line 1: must be");
    write("203.0.113.8\n");
    assertEquals(List.of("deny ip:203.0.113.8"), settled());
  }

  private void assertUnusable(String reason) {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 5; i++) {
        assertEquals(Optional.empty(), file.readChanged());
      }
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
      assertTrue(log.warnings().get(0).contains(reason), log.warnings()::toString);
    }
  }

  @Test
  void aFileThatIsMissingAgainIsLoggedAgain() throws IOException {
    for (int i = 0; i < 2; i++) {
      write("203.0.113." + i + "\n");
      try (LogLines log = new LogLines()) {
        assertEquals(i == 0 ? 1 : 0, file.readChanged().map(List::size).orElse(0));
        assertEquals(i, file.readChanged().map(List::size).orElse(0));
        assertEquals(Optional.empty(), file.readChanged());
        assertEquals(1, log.containing("has 1 entries").size(), log.lines()::toString);
      }
      Files.delete(path);
      assertUnusable("can't be read");
    }
  }

  @Test
  void whatIsNoFileIsNotRead() {
    Path device = Path.of("/dev/zero");
    assumeTrue(Files.exists(device));
    file = new AccessFile(device, new AccessLog(0));
    path = device;
    assertUnusable("it isn't a file");
  }

  @Test
  void ofVeryManyWrongLinesTheFirstAreToldAndAllAreCounted() throws IOException {
    write("203.0.113.7\n" + ("w".repeat(10_000) + "\n").repeat(1_000) + "deny a b\n");
    try (LogLines log = new LogLines()) {
      assertEquals(1, read().size());
      String line = log.warnings().get(0);
      assertTrue(line.contains("line 2: must be") && line.endsWith("; and 991 more"), line);
      assertTrue(line.length() < 5_000, line);
    }
  }

  @Test
  void aHundredThousandLinesAreRead() throws IOException {
    write(
        IntStream.range(0, 100_000)
            .mapToObj(i -> "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + "\n")
            .collect(Collectors.joining()));
    assertEquals(100_000, read().size());
  }
}
