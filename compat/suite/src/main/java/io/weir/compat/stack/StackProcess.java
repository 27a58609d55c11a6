package io.weir.compat.stack;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A stack that {@link StackMain} runs: a JVM with the libraries of the module's runtime, the suite
 * and the module's test classes, and without the libraries of the tests.
 *
 * <p>Confine to one thread.
 */
public final class StackProcess implements StackServer {
  /** The system property with the file that lists the libraries, which the module's build sets. */
  static final String LIBRARIES = "weir.stack.libraries";

  private final Process process;
  private final BufferedReader output;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();

  private StackProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts the process.
   *
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess run(Class<?> main, String... options) throws IOException {
    return run(Path.of(System.getProperty("java.home")), main, options);
  }

  /**
   * Starts the process on another JDK.
   *
   * @param javaHome the directory of the JDK
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess run(Path javaHome, Class<?> main, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath(main), main.getName()));
    return new StackProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start());
  }

  private static String classPath(Class<?> main) throws IOException {
    String libraries = Files.readString(Path.of(System.getProperty(LIBRARIES))).strip();
    return String.join(File.pathSeparator, List.of(place(main), place(StackMain.class), libraries));
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public URI start() throws IOException {
    return URI.create(command(StackMain.START).substring(StackMain.STARTED.length()));
  }

  @Override
  public void stop() throws IOException {
    command(StackMain.STOP);
  }

  /**
   * Returns what the process has printed until its last answer.
   *
   * @return the lines of both streams
   */
  public List<String> printed() {
    return List.copyOf(printed);
  }

  private String command(String command) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(command).append('\n').flush();
    String line = output.readLine();
    while (line != null && !line.startsWith(StackMain.ANSWER)) {
      printed.add(line);
      line = output.readLine();
    }
    if (line == null || line.startsWith(StackMain.FAILED)) {
      throw new IOException(
          "the stack doesn't " + command + ": " + line + "\n" + String.join("\n", printed));
    }
    return line;
  }

  @Override
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      output.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
