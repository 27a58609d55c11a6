package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.test.architecture.LineCounter.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineCounterTest {
  @Test
  void blankLinesImportsAndCommentsAreNoCode() {
    assertEquals(
        new Lines(5, 4, 2),
        Lines.of(
            """
            package io.weir;

            import java.util.List;

            /**
             * A comment.
             */
            final class One {
              // another one
              int two = 2; // behind code

              enum Three {}
            }
            """));
  }

  @Test
  void textMayLookLikeComments() {
    assertEquals(
        new Lines(4, 0, 0),
        Lines.of(
            "String a = \"/* none\";\nchar b = '\"';\nString c = \"\"\"\n// none */\"\"\";\n"));
  }

  @Test
  void countsByModule(@TempDir Path house) throws IOException {
    Path folder = Files.createDirectories(house.resolve("stores/one/src/main/java/io"));
    Files.writeString(folder.resolve("A.java"), "class A {}\n");
    Files.writeString(folder.resolve("B.java"), "interface B {\n}\n");
    Path tests = Files.createDirectories(house.resolve("stores/one/src/test/java/io"));
    Files.writeString(tests.resolve("C.java"), "class C {}\n");
    assertEquals(Map.of("stores/one", new Lines(3, 0, 2)), LineCounter.in(house, "stores"));
    assertEquals(
        Map.of("stores/one/src/main/java", new Lines(3, 0, 2)),
        LineCounter.in(house, "stores/one/src/main/java"));
  }
}
