package io.weir.spring;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs main classes in processes of their own. */
public final class JavaProcess {
  private JavaProcess() {}

  /** Returns the class path of the tests. */
  public static List<String> classPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /**
   * Runs a class to its end.
   *
   * @return all that it has printed, with its status at the end
   */
  static String run(List<String> classPath, List<String> options, String... mainAndArguments)
      throws IOException, InterruptedException {
    return run(Map.of(), classPath, options, mainAndArguments);
  }

  /**
   * Runs a class to its end, with further variables in its environment.
   *
   * @return all that it has printed, with its status at the end
   */
  public static String run(
      Map<String, String> environment,
      List<String> classPath,
      List<String> options,
      String... mainAndArguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("weir", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.addAll(List.of(mainAndArguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      if (!process.waitFor(300, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no end: " + Files.readString(output));
      }
      return Files.readString(output, StandardCharsets.UTF_8) + "\nstatus " + process.exitValue();
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
