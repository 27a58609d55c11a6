package io.weir.test.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page below docs, with its fenced blocks in their order.
 *
 * @param name the file's name
 * @param text all of it
 * @param blocks its blocks
 */
record MarkdownPage(String name, String text, List<CodeBlock> blocks) {
  private static final Path DOCS = Path.of("..", "..", "..", "docs");
  private static final Pattern FENCE = Pattern.compile("^(\\s*)```\\s*(\\S*).*$");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*)$");
  private static final String MARK = "not run";

  static MarkdownPage read(String name) {
    try {
      return of(name, Files.readString(DOCS.resolve(name)));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  static MarkdownPage of(String name, String text) {
    return new MarkdownPage(name, text, new Reader(name).read(text.lines().toList()));
  }

  /** Returns the blocks of a language below a heading, in their order. */
  List<CodeBlock> blocks(String heading, String language) {
    return blocks.stream()
        .filter(each -> each.heading().equals(heading) && each.language().equals(language))
        .toList();
  }

  /** Walks through a page's lines. */
  private static final class Reader {
    private final String name;
    private final List<CodeBlock> blocks = new ArrayList<>();
    private final StringBuilder paragraph = new StringBuilder();
    private String heading = "";

    Reader(String name) {
      this.name = name;
    }

    List<CodeBlock> read(List<String> lines) {
      for (int i = 0; i < lines.size(); i++) {
        Matcher fence = FENCE.matcher(lines.get(i));
        if (fence.matches()) {
          i = readBlock(lines, i + 1, fence.group(1), fence.group(2));
        } else {
          readText(lines, i);
        }
      }
      return List.copyOf(blocks);
    }

    /** Returns the index of the closing fence. */
    private int readBlock(List<String> lines, int first, String indent, String language) {
      StringBuilder code = new StringBuilder();
      for (int i = first; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.strip().equals("```")) {
          boolean isMarked = paragraph.toString().toLowerCase(Locale.ROOT).contains(MARK);
          blocks.add(new CodeBlock(name, first + 1, heading, language, code.toString(), isMarked));
          return i;
        }
        code.append(line.startsWith(indent) ? line.substring(indent.length()) : line.strip());
        code.append('\n');
      }
      throw new AssertionError("docs/" + name + ":" + first + ": the block isn't closed");
    }

    private void readText(List<String> lines, int i) {
      String line = lines.get(i);
      Matcher title = HEADING.matcher(line);
      if (title.matches()) {
        heading = title.group(1);
        paragraph.setLength(0);
      } else if (!line.isBlank()) {
        if (i > 0 && lines.get(i - 1).isBlank()) {
          paragraph.setLength(0);
        }
        paragraph.append(line).append(' ');
      }
    }
  }
}
