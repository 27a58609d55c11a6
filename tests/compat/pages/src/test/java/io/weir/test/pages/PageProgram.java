package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Writes the programs of a page into a folder, and runs them. Confine to one thread. */
final class PageProgram {
  private static final long PATIENCE_SECONDS = 300;

  private final Path folder;
  private final String token;
  private String complaints = "";

  PageProgram(Path folder, String token) {
    this.folder = folder;
    this.token = token;
  }

  PageProgram write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    return this;
  }

  /** Copies a file that drives a page's client. */
  PageProgram copy(String file) throws IOException {
    try (InputStream driver = PageProgram.class.getResourceAsStream("/languages/" + file)) {
      Files.write(folder.resolve(file), driver.readAllBytes());
    }
    return this;
  }

  /** Returns what a program prints; it must succeed. */
  List<String> run(List<String> words) throws IOException, InterruptedException {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Path complained = Files.createTempFile(folder, "complained", ".txt");
    int status = start(words, said, complained);
    complaints = Files.readString(complained);
    String all = Files.readString(said) + complaints;
    assertEquals(0, status, () -> String.join(" ", words) + ": " + all);
    return Files.readAllLines(said);
  }

  /** Returns how often the last program has warned that Weir can't be asked. */
  long warnings() {
    return complaints.lines().filter(line -> line.contains("Weir can't be asked")).count();
  }

  /** Returns the status with which a program ends. */
  int status(List<String> words) throws IOException, InterruptedException {
    return start(words, folder.resolve("said.txt"), folder.resolve("complained.txt"));
  }

  private int start(List<String> words, Path said, Path complained)
      throws IOException, InterruptedException {
    ProcessBuilder program = new ProcessBuilder(words);
    program.environment().put("WEIR_TOKEN", token);
    Process process =
        program
            .directory(folder.toFile())
            .redirectOutput(said.toFile())
            .redirectError(complained.toFile())
            .start();
    assertTrue(
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> words.get(0) + " doesn't end");
    return process.exitValue();
  }
}
