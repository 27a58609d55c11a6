package io.weir.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Another JVM of the same Java and class path, and the lines to and from it. What it prints on its
 * error stream goes to ours. It ends with this, at the latest with this JVM.
 *
 * <p>Confine to one thread.
 */
public final class Child implements AutoCloseable {
  /**
   * The compiler that this JVM is restricted to, if any, for its children too: then figures say
   * nothing, and a run is to end soon.
   */
  private static final List<String> COMPILER =
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(each -> each.startsWith("-XX:TieredStopAtLevel="))
          .toList();

  private final String name;
  private final Process process;
  private final PrintStream to;
  private final BufferedReader from;
  private final Thread killer;

  private Child(String name, Process process) {
    this.name = name;
    this.process = process;
    this.to = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.from = process.inputReader(StandardCharsets.UTF_8);
    this.killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  /**
   * Starts a class with a main method.
   *
   * @param flags for the JVM, such as {@code -Xmx256m}
   * @param arguments for the class
   */
  public static Child start(List<String> flags, Class<?> main, String... arguments)
      throws IOException {
    return start(flags, System.getProperty("java.class.path"), main, arguments);
  }

  /** Starts a class from another class path. */
  public static Child start(
      List<String> flags, String classPath, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(String.join(File.separator, System.getProperty("java.home"), "bin", "java"));
    command.addAll(COMPILER);
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return new Child(main.getSimpleName(), builder.start());
  }

  /** Sends one line. */
  public void say(String line) {
    to.println(line);
  }

  /**
   * Waits for the next line it prints.
   *
   * @throws IllegalStateException if it has ended instead
   */
  public String hear() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IllegalStateException(name + " has ended, " + exit());
    }
    return line;
  }

  /** Sends one line and waits for the answer. */
  public String ask(String line) throws IOException {
    say(line);
    return hear();
  }

  /** Returns the number of the process. */
  public long pid() {
    return process.pid();
  }

  /** Waits until it ends by itself. */
  public int exit() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " ran", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
