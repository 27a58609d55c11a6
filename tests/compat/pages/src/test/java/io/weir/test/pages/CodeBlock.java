package io.weir.test.pages;

import java.util.stream.Collectors;

/**
 * A fenced block of a page.
 *
 * @param page the file's name
 * @param line the number of its first line of code
 * @param heading the heading that it stands below
 * @param language what follows the opening fence, empty if nothing does
 * @param text its lines, without the indentation of the fence
 * @param isMarked whether the paragraph before it contains "not run"
 */
record CodeBlock(
    String page, int line, String heading, String language, String text, boolean isMarked) {

  /** Returns the name under which a test reports it. */
  String place() {
    return "docs/" + page + ":" + line + (language.isEmpty() ? "" : " (" + language + ")");
  }

  /** Returns its lines after a shell's prompt, joined. */
  String commands() {
    return text.lines()
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .collect(Collectors.joining("\n"));
  }
}
