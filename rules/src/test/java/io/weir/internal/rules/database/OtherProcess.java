package io.weir.internal.rules.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts nodes in processes of their own. */
public final class OtherProcess {
  private OtherProcess() {}

  /**
   * Runs a class until the caller ends the process.
   *
   * @param main has a {@code main}
   * @param ready the line that it prints once it is ready; this waits until then
   * @param arguments those of {@code main}
   */
  public static Process start(Class<?> main, String ready, String... arguments) throws IOException {
    return start(List.of(), main, ready, arguments);
  }

  /** The same with flags for the JVM. */
  public static Process start(List<String> flags, Class<?> main, String ready, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    BufferedReader lines = process.inputReader();
    String line = lines.readLine();
    while (line != null && !line.equals(ready)) {
      line = lines.readLine();
    }
    assertEquals(ready, line);
    return process;
  }
}
