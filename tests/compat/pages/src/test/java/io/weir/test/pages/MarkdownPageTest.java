package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;

class MarkdownPageTest {
  private static final MarkdownPage PAGE =
      MarkdownPage.of(
          "page.md",
          """
          # A page

          Do this:

          ```sh
          ls
          ```

          ## More

          - In a list, which is not run here:

            ```yaml
            a:
              - b
            ```

          Again.

          ```java
          call();
          ```
          """);

  @Test
  void readsEachBlockWithItsPlace() {
    assertEquals(
        List.of(
            new CodeBlock("page.md", 6, "A page", "sh", "ls\n", false),
            new CodeBlock("page.md", 14, "More", "yaml", "a:\n  - b\n", true),
            new CodeBlock("page.md", 21, "More", "java", "call();\n", false)),
        PAGE.blocks());
    assertEquals("docs/page.md:6 (sh)", PAGE.blocks().get(0).place());
  }

  @Test
  void refusesABlockWithoutAnEnd() {
    assertThrows(AssertionError.class, () -> MarkdownPage.of("page.md", "```sh\nls\n"));
  }

  @Test
  void aBlockIsEitherRunOrMarked() throws Throwable {
    List<String> ran = new ArrayList<>();
    List<DynamicTest> tests =
        PageRun.of(PAGE).with("sh", block -> ran.add(block.text())).tests().toList();
    assertEquals(2, tests.size());
    tests.get(0).getExecutable().execute();
    assertEquals(List.of("ls\n"), ran);
    assertThrows(AssertionError.class, () -> tests.get(1).getExecutable().execute());
  }
}
