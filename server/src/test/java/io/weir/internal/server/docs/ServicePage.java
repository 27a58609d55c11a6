package io.weir.internal.server.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the snippets of docs/service.md and its other parts, by heading and language. */
final class ServicePage {
  private static final Path DOCS = Path.of("..", "docs");
  private static final List<String> PARTS =
      List.of("service.md", "service-access.md", "service-gateways.md", "service-run.md");
  private static final String FENCE = "```";

  private ServicePage() {}

  /** A block of code. */
  private record Block(String heading, String language, String text) {}

  static String text() {
    StringBuilder text = new StringBuilder();
    for (String part : PARTS) {
      try {
        text.append(Files.readString(DOCS.resolve(part))).append('\n');
      } catch (IOException missing) {
        throw new UncheckedIOException(missing);
      }
    }
    return text.toString();
  }

  private static List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    String heading = "";
    String language = "";
    StringBuilder code = null;
    for (String line : text().split("\n")) {
      if (line.startsWith(FENCE)) {
        if (code == null) {
          code = new StringBuilder();
          language = line.substring(FENCE.length());
        } else {
          blocks.add(new Block(heading, language, code.toString()));
          code = null;
        }
      } else if (code != null) {
        code.append(line).append('\n');
      } else if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ ", "");
      }
    }
    return blocks;
  }

  /** All blocks of a language below a heading, in their order. */
  static List<String> blocks(String heading, String language) {
    return blocks().stream()
        .filter(each -> each.heading().equals(heading) && each.language().equals(language))
        .map(Block::text)
        .toList();
  }

  /** The block of a language below a heading that has a text. */
  static String block(String heading, String language, String part) {
    return blocks(heading, language).stream()
        .filter(each -> each.contains(part))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "the page has no " + language + " with '" + part + "' below " + heading));
  }
}
