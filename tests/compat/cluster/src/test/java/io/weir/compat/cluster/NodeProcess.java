package io.weir.compat.cluster;

import io.weir.compat.cluster.node.ColdNode;
import io.weir.compat.cluster.node.Node;
import io.weir.seeds.Seeds;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that is one node, and the lines to and from it.
 *
 * <p>Confine to one thread.
 */
final class NodeProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 180;
  private static final String DONE = "done";

  private final Process process;
  private final PrintStream to;
  private final BlockingQueue<String> from = new LinkedBlockingQueue<>();
  private final ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();

  private NodeProcess(Process process) {
    this.process = process;
    this.to = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    read(process.getInputStream(), from);
    read(process.getErrorStream(), log);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Starts a node on the JDK that the tests run on. */
  static NodeProcess start() throws IOException {
    return start(Path.of(System.getProperty("java.home")), List.of());
  }

  static NodeProcess start(Path javaHome, List<String> flags) throws IOException {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(flags);
    return start(javaHome, words, Node.class, List.of());
  }

  /**
   * Starts one that serves at once; the first reply is its port. In long builds its JVM is as it
   * comes, in others it spares the second compiler.
   */
  static NodeProcess cold(String adapter, Map<String, String> settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(adapter));
    settings.forEach((name, value) -> arguments.add(name + "=" + value));
    Path javaHome = Path.of(System.getProperty("java.home"));
    List<String> flags =
        Seeds.deep()
            ? List.of("-Xmx128m")
            : List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    return start(javaHome, flags, ColdNode.class, arguments);
  }

  private static NodeProcess start(
      Path javaHome, List<String> flags, Class<?> main, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaHome + File.separator + "bin" + File.separator + "java");
    command.add("-Dweir.rules="); // the example on the class path has some
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new NodeProcess(new ProcessBuilder(command).start());
  }

  private static void read(InputStream stream, java.util.Queue<String> into) {
    Thread reader =
        new Thread(
            () ->
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .forEach(into::add));
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends a command; {@link #reply} reads what it leads to. */
  void send(String line) {
    to.println(line);
  }

  /** The result of the last command. */
  List<String> reply() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    for (String line = next(); !line.equals(DONE); line = next()) {
      if (line.startsWith("failed ")) {
        throw new AssertionError(line + "\n" + log());
      }
      lines.add(line);
    }
    return lines;
  }

  List<String> ask(String line) throws InterruptedException {
    send(line);
    return reply();
  }

  private String next() throws InterruptedException {
    String line = from.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("the node doesn't answer\n" + log());
    }
    return line;
  }

  /** The log of the node so far. */
  String log() {
    return String.join("\n", log);
  }

  @Override
  public void close() {
    to.close();
    process.destroyForcibly();
  }
}
