package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the commands of a page by bash, as somebody who pastes block after block into one shell:
 * variables and functions stay. A command that fails ends its block, and the test with it.
 *
 * <p>Some words of a page stand for those of the reader, such as its address. They are given by
 * {@link #replace}, and nothing else is changed.
 */
final class PageShell {
  private static final long PATIENCE_SECONDS = 300;
  private static final String KEEP =
      "\n{ declare -f; declare -p | grep '^declare -- '; } > .state\n";

  private final Path folder;
  private final Map<String, String> words = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private String output = "";

  PageShell(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve(".state"), "");
  }

  /** Names what a word of the page is here. */
  PageShell replace(String word, String here) {
    words.put(word, here);
    return this;
  }

  /** Sets a variable of the environment. */
  PageShell environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Returns the directory in which commands run. */
  Path folder() {
    return folder;
  }

  /** Runs a block. */
  void run(CodeBlock block) throws IOException, InterruptedException {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Path complained = Files.createTempFile(folder, "complained", ".txt");
    ProcessBuilder program =
        new ProcessBuilder(
                "bash", "-c", ". ./.state\nset -euo pipefail\n" + here(block.text()) + KEEP)
            .directory(folder.toFile())
            .redirectOutput(said.toFile())
            .redirectError(complained.toFile());
    program.environment().putAll(environment);
    Process bash = program.start();
    assertTrue(bash.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), block.place() + " doesn't end");
    output = Files.readString(said);
    assertEquals(0, bash.exitValue(), block.place() + ": " + output + Files.readString(complained));
  }

  private String here(String text) {
    String here = text;
    for (Map.Entry<String, String> each : words.entrySet()) {
      here = here.replace(each.getKey(), each.getValue());
    }
    return here;
  }

  /** Returns what the last block has printed. */
  String output() {
    return output;
  }

  /** Compares the output of the last block with JSON that the page shows below it. */
  void hasPrintedJson(CodeBlock shown) {
    hasPrinted(shown, AnswerPattern.ofJson(shown.text()));
  }

  /** Compares the output of the last block with text that the page shows below it. */
  void hasPrintedText(CodeBlock shown) {
    hasPrinted(shown, AnswerPattern.ofText(shown.text()));
  }

  private void hasPrinted(CodeBlock shown, AnswerPattern pattern) {
    if (!pattern.matches(output)) {
      assertEquals(shown.text(), output, shown.place());
    }
  }
}
