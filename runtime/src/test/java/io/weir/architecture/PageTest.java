package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  @TempDir private Path folder;

  @Test
  void findsLinksOutsideCodeThatStayInTheProject() {
    Page page =
        Page.of(
            List.of(
                "See [one](one.md), [two](docs/two.md#of-it \"title\") and <https://example.org>.",
                "[far](https://example.org/a) `[code](none.md)` ![picture](a%20b.png)",
                "```",
                "[fenced](none.md)",
                "```",
                "[name]: three.md"));
    assertEquals(List.of("one.md", "docs/two.md#of-it", "a%20b.png", "three.md"), page.links());
  }

  @Test
  void makesAnAnchorOfEachHeading() {
    Page page =
        Page.of(
            List.of("# Weir", "## What `verify` refuses", "## What it's *like*: a, b", "## Weir"));
    assertEquals(
        Set.of("weir", "what-verify-refuses", "what-its-like-a-b", "weir-1"), page.anchors());
  }

  @Test
  void saysWhereALinkLeadsNowhere() throws IOException {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "# Here\n");
    Files.writeString(folder.resolve("b c.txt"), "");
    assertEquals(Optional.empty(), Page.trouble(page, "#here"));
    assertEquals(Optional.empty(), Page.trouble(page, "page.md#here"));
    assertEquals(Optional.empty(), Page.trouble(page, "b%20c.txt#L7"));
    assertTrue(Page.trouble(page, "#there").isPresent());
    assertTrue(Page.trouble(page, "other.md").isPresent());
  }
}
