package io.weir.benchmarks.cold;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts the system calls of another process with {@code strace}, if it is installed and permitted.
 *
 * <p>Confine to one thread.
 */
final class Strace {
  private static final int SECONDS = 10;

  /** The work to trace. */
  interface Action {
    /** Does it. */
    void run() throws IOException;
  }

  private Strace() {}

  /** Counts the system calls of a process by name; empty if tracing isn't possible. */
  static Map<String, Long> calls(long pid, Action action) throws Exception {
    Path counts = Files.createTempFile("weir-strace", ".txt");
    try {
      Process strace;
      try {
        strace =
            new ProcessBuilder("strace", "-c", "-f", "-o", counts.toString(), "-p", "" + pid)
                .redirectErrorStream(true)
                .start();
      } catch (IOException notInstalled) {
        return Map.of();
      }
      return counted(strace, action) ? parsed(counts) : Map.of();
    } finally {
      Files.delete(counts);
    }
  }

  private static boolean counted(Process strace, Action action) throws Exception {
    try (BufferedReader said = strace.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      if (line == null || !line.contains("attached")) {
        return false;
      }
      action.run();
      strace.toHandle().destroy(); // leaves its streams open
      said.transferTo(Writer.nullWriter());
      return strace.waitFor(SECONDS, TimeUnit.SECONDS);
    } finally {
      strace.destroyForcibly();
    }
  }

  // Such as " 40.12    0.004012           2      2001           recvfrom".
  private static Map<String, Long> parsed(Path counts) throws IOException {
    Map<String, Long> calls = new TreeMap<>();
    for (String line : Files.readAllLines(counts)) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= 5 && words[0].matches("[0-9.]+") && !line.endsWith("total")) {
        calls.put(words[words.length - 1], Long.parseLong(words[3]));
      }
    }
    return calls;
  }
}
