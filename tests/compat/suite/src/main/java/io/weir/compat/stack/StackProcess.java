package io.weir.compat.stack;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A stack that {@link StackMain} runs: a JVM with the libraries of the module's runtime, the suite
 * and the module's test classes, and without the libraries of the tests. Only an application with
 * rules also has those of {@code weir-rules}.
 *
 * <p>Confine to one thread.
 */
public final class StackProcess implements StackServer {
  /** The system property with the file that lists the libraries, which the module's build sets. */
  static final String LIBRARIES = "weir.test.libraries";

  /** The same for what an application with rules has beside them. */
  static final String RULES_LIBRARIES = "weir.test.libraries-rules";

  /** The JDK of the tests. */
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  /** Follows the last answer of a process that has ended. */
  private static final String ENDED = "the process has ended";

  private final Process process;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private StackProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "stack-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Reads all the time: a process whose output nobody reads stops at some point. */
  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        (line.startsWith(StackMain.ANSWER) ? answers : printed).add(line);
      }
    } catch (IOException closed) {
      printed.add(closed.toString());
    }
    answers.add(ENDED);
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
    return run(JAVA_HOME, main, options);
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
    return run(javaHome, main, each -> true, List.of(options), List.of(LIBRARIES));
  }

  /**
   * Starts the process with some of the module's libraries, where they are those of several
   * applications.
   *
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param wanted selects jars and folders of classes that this application has
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess run(Class<?> main, Predicate<Path> wanted, List<String> options)
      throws IOException {
    return run(JAVA_HOME, main, wanted, options, List.of(LIBRARIES));
  }

  /**
   * Starts the process with libraries of the tests beside those of the module.
   *
   * @param more a class of each of them
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess runWith(List<Class<?>> more, Class<?> main, List<String> options)
      throws IOException {
    List<String> places =
        new ArrayList<>(List.of(classPath(main, each -> true, List.of(LIBRARIES))));
    more.forEach(each -> places.add(place(each)));
    return start(JAVA_HOME, main, String.join(File.pathSeparator, places), options);
  }

  /**
   * Starts the process with {@code weir-rules} and H2 on its class path.
   *
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess runWithRules(Class<?> main, List<String> options) throws IOException {
    return runWithRules(JAVA_HOME, main, options);
  }

  /**
   * Starts the process on another JDK, with {@code weir-rules} and H2 on its class path.
   *
   * @param javaHome the directory of the JDK
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess runWithRules(Path javaHome, Class<?> main, List<String> options)
      throws IOException {
    return run(javaHome, main, each -> true, options, List.of(LIBRARIES, RULES_LIBRARIES));
  }

  /**
   * Starts the process with some of the module's libraries, and with {@code weir-rules} and H2.
   *
   * @param main a class of the module's tests whose main method calls {@link StackMain#run}
   * @param wanted selects jars and folders of classes that this application has
   * @param options for the JVM
   * @return the process, whose application isn't started yet
   * @throws IOException if it can't be started
   */
  public static StackProcess runWithRules(
      Class<?> main, Predicate<Path> wanted, List<String> options) throws IOException {
    return run(JAVA_HOME, main, wanted, options, List.of(LIBRARIES, RULES_LIBRARIES));
  }

  private static StackProcess run(
      Path javaHome,
      Class<?> main,
      Predicate<Path> wanted,
      List<String> options,
      List<String> libraries)
      throws IOException {
    return start(javaHome, main, classPath(main, wanted, libraries), options);
  }

  private static StackProcess start(
      Path javaHome, Class<?> main, String classPath, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    return new StackProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start());
  }

  private static String classPath(Class<?> main, Predicate<Path> wanted, List<String> libraries)
      throws IOException {
    List<String> places = new ArrayList<>(List.of(place(main), place(StackMain.class)));
    for (String each : libraries) {
      String list = Files.readString(Path.of(System.getProperty(each))).strip();
      Stream.of(list.split(File.pathSeparator))
          .filter(library -> wanted.test(Path.of(library)))
          .forEach(places::add);
    }
    return String.join(File.pathSeparator, places);
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

  /** Returns how many bytes its threads have allocated. */
  long allocatedBytes() throws IOException {
    return Long.parseLong(command(StackMain.COUNT).substring(StackMain.ALLOCATED.length()));
  }

  /**
   * Returns what the process has printed so far: until an answer, all that came before it.
   *
   * @return the lines of both streams
   */
  public List<String> printed() {
    return List.copyOf(printed);
  }

  private String command(String command) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(command).append('\n').flush();
    String answer = answer();
    if (answer.startsWith(StackMain.FAILED) || answer.equals(ENDED)) {
      throw new IOException(
          "the stack doesn't " + command + ": " + answer + "\n" + String.join("\n", printed));
    }
    return answer;
  }

  private String answer() throws IOException {
    try {
      return answers.take();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("while the stack was asked");
    }
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
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
