package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each link of the project's pages has a target, the first pages to read are short, and so are the
 * lines of code.
 */
class PagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int COLUMNS = 80;

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"), 2);
        Stream<Path> benchmarks = Files.walk(ROOT.resolve("benchmarks"), 2);
        Stream<Path> bundle = Files.walk(ROOT.resolve("release/bundle/src"))) {
      Stream.of(top, docs, benchmarks, bundle, Stream.of(ROOT.resolve("release/bundle/README.md")))
          .flatMap(paths -> paths)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .forEach(pages::add);
    }
    return pages;
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<Path> pages = pages();
    assertTrue(pages.contains(ROOT.resolve("README.md")), pages::toString);
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      for (String link : Page.read(page).links()) {
        Page.trouble(page, link)
            .ifPresent(why -> broken.add(ROOT.relativize(page) + ": " + link + " " + why));
      }
    }
    assertEquals("", String.join("\n", broken));
  }

  /** The site's build fails too, but isn't part of this one. */
  @Test
  void everyPageHasAPlaceOnTheSite() throws IOException {
    String places = Files.readString(ROOT.resolve("docs/site/pages.json"));
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      String name = ROOT.relativize(page).toString().replace('\\', '/').replaceFirst("\\.md$", "");
      if (name.startsWith("docs/") && !places.contains('"' + name + '"')) {
        missing.add(name);
      }
    }
    assertEquals(List.of(), missing, "add each page to a group of docs/site/pages.json");
  }

  /** The site cuts off what is longer, and tabs are four columns there. */
  @Test
  void codeHasShortLines() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path page : pages()) {
      boolean isCode = false;
      int number = 0;
      for (String line : Files.readAllLines(page)) {
        number++;
        if (line.strip().startsWith("```")) {
          isCode = !isCode;
        } else if (isCode && line.replace("\t", "    ").length() > COLUMNS) {
          tooLong.add(ROOT.relativize(page) + ":" + number + ": " + line);
        }
      }
    }
    assertEquals("", String.join("\n", tooLong));
  }

  @ParameterizedTest
  @CsvSource({"README.md, 6000", "ARCHITECTURE.md, 10000", "CONTRIBUTING.md, 10000"})
  void whatIsReadFirstIsShort(String page, int most) throws IOException {
    int length = Files.readString(ROOT.resolve(page)).length();
    assertTrue(length <= most, length + " characters");
  }
}
